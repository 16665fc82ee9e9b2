package io.uniserve.runtime.server.replica;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class FailureLogTest {
  @Test
  void whatComesAgainIsToldOnceAndCounted() {
    Logger log = (Logger) LoggerFactory.getLogger("failures");
    log.setLevel(Level.WARN);
    log.setAdditive(false);
    ListAppender<ILoggingEvent> told = new ListAppender<>();
    told.start();
    log.addAppender(told);
    FailureLog failures = new FailureLog();
    for (int i = 0; i < 1000; i++) {
      failures.warn(log, "actor " + i, new IllegalStateException("no mood"));
    }
    failures.warn(log, "actor 1", new IllegalStateException("another"));
    assertThat(told.list).hasSize(11);
    assertThat(told.list.getFirst().getThrowableProxy()).isNotNull();
    assertThat(told.list.get(9).getThrowableProxy()).isNull();
    assertThat(told.list.get(9).getFormattedMessage())
        .isEqualTo("actor 511: illegal state: no mood (512 times by now)");
    assertThat(told.list.getLast().getThrowableProxy()).isNotNull();
  }
}
