package io.uniserve.testkit.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionedRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answers of an update's actors, put together for its caller as the runtime does it. Each is
 * checked against what its function says.
 */
final class LocalAnswers {
  /** The bytes beside the values of an answer, as the runtime counts them. */
  private static final int FIXED_BYTES = 8;

  private final Wire wire;
  private final List<Object> wholes = new ArrayList<>();
  private final Map<PartitionedRecord, Deque<Optional<Object>>> each = new HashMap<>();
  private boolean ofEach;

  LocalAnswers(Wire wire) {
    this.wire = wire;
  }

  /** Adds the answer of one actor. */
  void add(
      UpdateFunction<?, ?> function, List<? extends PartitionedRecord> records, Answer answer) {
    int bytesMax = function.answerBytesMax(records.size());
    assertThat(bytesMax)
        .as("the greatest answer of %s to %d records", function, records.size())
        .isBetween(0, Answer.BYTES_MAX);
    switch (answer) {
      case Answer.None none -> {}
      case Answer.Whole whole -> {
        requireSize(function, bytesMax, wire.sizeBytes(whole.value()) + FIXED_BYTES);
        wholes.add(wire.travel(whole.value()));
      }
      case Answer.Each values -> {
        assertThat(values.values()).as("the answers of %s", function).hasSize(records.size());
        int size = values.values().stream().mapToInt(wire::sizeBytes).sum() + FIXED_BYTES;
        requireSize(function, bytesMax, size);
        ofEach = true;
        for (int i = 0; i < records.size(); i++) {
          Object value = values.values().get(i);
          each.computeIfAbsent(records.get(i), fresh -> new ArrayDeque<>())
              .add(Optional.ofNullable(value == null ? null : wire.travel(value)));
        }
      }
    }
  }

  private static void requireSize(UpdateFunction<?, ?> function, int bytesMax, int sizeBytes) {
    assertThat(sizeBytes).as("the size of an answer of %s", function).isLessThanOrEqualTo(bytesMax);
  }

  /**
   * Returns the values.
   *
   * @param sent the records that were sent, in the caller's order
   */
  List<Object> values(List<? extends PartitionedRecord> sent) {
    if (!ofEach) {
      return wholes;
    }
    List<Object> values = new ArrayList<>();
    sent.forEach(record -> values.add(each.get(record).remove().orElse(null)));
    return values;
  }
}
