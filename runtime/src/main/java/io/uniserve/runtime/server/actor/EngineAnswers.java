package io.uniserve.runtime.server.actor;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.LoggedAnswer;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** The form in which the answers of an engine are logged, compared and kept. */
final class EngineAnswers {
  private final ReplicaTarget target;
  private final Engines engines;

  EngineAnswers(ReplicaTarget target, Engines engines) {
    this.target = target;
    this.engines = engines;
  }

  /**
   * Returns an answer as it is logged; empty if the function cannot answer.
   *
   * @param records the number of records
   * @throws IllegalStateException if the answer is not as the function has said; that is the
   *     engine's fault
   */
  Optional<LoggedAnswer> logged(UpdateFunction<?, ?> function, int records, Answer answer) {
    int bytesMax = function.answerBytesMax(records);
    LoggedAnswer logged =
        switch (answer) {
          case Answer.None none -> LoggedAnswer.NONE;
          case Answer.Whole whole -> new LoggedAnswer(false, bytes(whole.value()));
          case Answer.Each each -> {
            requireCount(function, records, each.values().size());
            yield new LoggedAnswer(true, bytes(each.values()));
          }
        };
    if (logged.value().length > bytesMax) {
      throw new IllegalStateException(
          "%s answers with %d bytes for %d records; it said at most %d"
              .formatted(function, logged.value().length, records, bytesMax));
    }
    return bytesMax == 0 ? Optional.empty() : Optional.of(logged);
  }

  private static void requireCount(UpdateFunction<?, ?> function, int records, int values) {
    if (values != records) {
      throw new IllegalStateException(
          "%s answers with %d values for %d records".formatted(function, values, records));
    }
  }

  private byte[] bytes(Object value) {
    ByteBuffer view = Payload.of(target.definition().engine(), value).bytes(engines);
    byte[] bytes = new byte[view.remaining()];
    view.get(bytes);
    return bytes;
  }

  /**
   * Returns the answer of an update as it is kept; empty if nothing was answered.
   *
   * @param position the position of its entry
   */
  Optional<GivenAnswer> given(
      Position position, Optional<LoggedAnswer> logged, List<PartitionedRecord> records) {
    return logged
        .filter(answer -> answer.value().length > 0)
        .map(
            answer ->
                new GivenAnswer(
                    target.id().number(),
                    position,
                    answer.each() ? keys(records) : List.of(),
                    answer.value()));
  }

  private static List<Long> keys(List<PartitionedRecord> records) {
    return records.stream().map(record -> record.partitionKey().stableHash()).toList();
  }
}
