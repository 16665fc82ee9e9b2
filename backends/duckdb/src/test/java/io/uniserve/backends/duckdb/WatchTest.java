package io.uniserve.backends.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WatchTest {
  private final AtomicInteger cancelled = new AtomicInteger();
  private final CountDownLatch ended = new CountDownLatch(1);

  private Statement statement() {
    return (Statement)
        Proxy.newProxyInstance(
            WatchTest.class.getClassLoader(),
            new Class<?>[] {Statement.class},
            (self, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("cancel");
              cancelled.incrementAndGet();
              ended.countDown();
              return null;
            });
  }

  @Test
  void aStatementWhoseQueryIsOverIsEnded() throws InterruptedException {
    try (Watch _ = new Watch(statement(), () -> true)) {
      assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  /** It looks, finds the query over, and has not ended the statement yet when that ends itself. */
  @Test
  void nothingIsEndedAfterItsEnd() throws InterruptedException {
    CountDownLatch looks = new CountDownLatch(1);
    CountDownLatch closing = new CountDownLatch(1);
    Watch watch =
        new Watch(
            statement(),
            () -> {
              looks.countDown();
              await(closing);
              return true;
            });
    assertThat(looks.await(1, TimeUnit.MINUTES)).isTrue();
    AtomicInteger atTheEnd = new AtomicInteger();
    Thread closer =
        Thread.ofPlatform()
            .start(
                () -> {
                  watch.close();
                  atTheEnd.set(cancelled.get());
                });
    while (closer.getState() == Thread.State.RUNNABLE || closer.getState() == Thread.State.NEW) {
      Thread.onSpinWait(); // until it waits for who looks, or is through
    }
    closing.countDown();
    closer.join();
    assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
    assertThat(atTheEnd).as("ended before the end").hasValue(cancelled.get());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
