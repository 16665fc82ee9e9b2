package io.uniserve.runtime.control.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.control.reshape.ReshapeFixture;
import io.uniserve.runtime.wire.ControlMessage.CreateStream;
import io.uniserve.runtime.wire.ControlMessage.PauseStream;
import io.uniserve.runtime.wire.ControlMessage.PutStream;
import io.uniserve.runtime.wire.ControlMessage.ReportStream;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import io.uniserve.runtime.wire.stream.StreamDefinition.OnBad;
import io.uniserve.runtime.wire.stream.StreamDefinition.Start;
import io.uniserve.runtime.wire.stream.StreamPartition;
import io.uniserve.runtime.wire.stream.StreamState;
import io.uniserve.runtime.wire.stream.StreamState.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of what becomes of a stream's progress when it is described anew, ended or reset. */
@Timeout(60)
class StreamsTest extends ReshapeFixture {
  private Streams streams;

  @Override
  public Partitioner partitioner() {
    return new Partitioner.Hash(2);
  }

  @BeforeEach
  void make() {
    streams = decide(() -> new Streams(environment, decisions));
  }

  private static StreamDefinition definition(String address, String topic) {
    return new StreamDefinition(
        "s", "t", "kafka", address, topic, "jsonl", Start.EARLIEST, OnBad.STOP);
  }

  private void put(String address, String topic, boolean paused) {
    decide(() -> streams.put(new PutStream(definition(address, topic), paused)));
  }

  private StreamState stream() {
    return decide(() -> decisions.state().requireStream("s"));
  }

  /** Has a process read the stream up to an offset. */
  private void read(long next) {
    report(0, List.of());
    report(stream().term(), List.of(new StreamPartition(0, 0, next, next, 0)));
    assertThat(stream().partition(0).orElseThrow().next()).isEqualTo(next);
  }

  private long report(long term, List<StreamPartition> partitions) {
    return decide(
        () ->
            streams.report(
                new ReportStream(
                    "s", "p1", term, "topic", partitions, List.of(), Optional.empty())));
  }

  private static void assertRefused(Runnable request, ErrorCode code, String words) {
    assertThatThrownBy(request::run)
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining(words)
        .cause()
        .isInstanceOfSatisfying(
            UniserveException.class, refused -> assertThat(refused.code()).isEqualTo(code));
  }

  @Test
  void anotherDescriptionGoesOnInAnotherTerm() {
    put("one:1", "clicks", false);
    read(7);
    StreamState before = stream();

    put("two:2", "clicks", false);
    StreamState after = stream();
    assertThat(after.identity()).isEqualTo(before.identity());
    assertThat(after.partitions()).isEqualTo(before.partitions());
    assertThat(after.definition().address()).isEqualTo("two:2");
    assertThat(after.term()).isEqualTo(before.term() + 1);
    assertThat(report(before.term(), List.of(new StreamPartition(0, 0, 9, 9, 0))))
        .as("the term in which the same process goes on")
        .isEqualTo(after.term());
    assertThat(stream().partition(0).orElseThrow().next())
        .as("progress of the former term does not count")
        .isEqualTo(7);
  }

  @Test
  void theSameDescriptionChangesNothing() {
    put("one:1", "clicks", false);
    StreamState before = stream();

    put("one:1", "clicks", false);
    assertThat(stream()).isEqualTo(before);
  }

  @Test
  void anotherTopicIsRefused() {
    put("one:1", "clicks", false);

    assertRefused(() -> put("one:1", "views", false), ErrorCode.ALREADY_EXISTS, "'clicks'");
  }

  @Test
  void oneThatIsPutPausedIsNotRead() {
    put("one:1", "clicks", true);

    assertThat(stream().status()).isEqualTo(Status.PAUSED);
    assertThat(report(0, List.of())).isZero();
    put("one:1", "clicks", false);
    assertThat(stream().status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void oneThatHasEndedGoesOnWhereItWas() {
    put("one:1", "clicks", false);
    read(7);
    StreamState before = stream();

    decide(() -> streams.end("s"));
    assertThat(stream().status()).isEqualTo(Status.ENDED);
    assertThat(report(before.term(), List.of())).isZero();
    assertRefused(
        () -> decide(() -> streams.create(new CreateStream(definition("one:1", "clicks")))),
        ErrorCode.ALREADY_EXISTS,
        "resume it to go on where it was");
    put("one:1", "clicks", false);
    assertThat(stream().status()).isEqualTo(Status.RUNNING);
    assertThat(stream().identity()).isEqualTo(before.identity());
    assertThat(stream().partition(0).orElseThrow().next()).isEqualTo(7);
  }

  @Test
  void aResetMakesAnotherStreamInTheSameCondition() {
    put("one:1", "clicks", false);
    read(7);
    String before = stream().identity();

    decide(() -> streams.reset("s"));
    assertThat(stream().identity()).isNotEqualTo(before);
    assertThat(stream().partitions()).isEmpty();
    assertThat(stream().status()).isEqualTo(Status.RUNNING);

    decide(() -> streams.pause(new PauseStream("s", true)));
    decide(() -> streams.reset("s"));
    assertThat(stream().status()).isEqualTo(Status.PAUSED);
  }
}
