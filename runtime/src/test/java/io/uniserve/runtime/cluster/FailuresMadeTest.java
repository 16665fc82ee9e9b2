package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Source;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.cluster.TallyOperators.ByKey;
import io.uniserve.runtime.cluster.TallyOperators.SumUp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;

/**
 * A successful query creates no exception: its stack trace would cost a small query more than the
 * work.
 */
class FailuresMadeTest extends OperatorsFixture {
  private static final String MADE = "jdk.JavaExceptionThrow"; // recorded when it is constructed
  private static final String WITNESS = "what the recording has to show";

  @Test
  void aCallThatEndsWellMakesNone() throws IOException {
    Map<String, Long> sums = table("t", 6, 2, 20);
    Path file = directory.resolve("made.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(MADE);
      recording.start();
      assertThat(new UniserveException(ErrorCode.INTERNAL, WITNESS)).hasNoCause();
      assertThat(ask(Source.table("t"))).isEqualTo(sums);
      assertThat(ask(gathered(List.of(scattered(Source.table("t"), new ByKey(1))), new SumUp())))
          .isEqualTo(sums);
      recording.stop();
      recording.dump(file);
    }
    assertThat(messages(file)).contains(WITNESS).noneMatch(it -> it.contains("ended its answer"));
  }

  private static List<String> messages(Path file) throws IOException {
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals(MADE))
        .map(event -> String.valueOf(event.getString("message")))
        .toList();
  }
}
