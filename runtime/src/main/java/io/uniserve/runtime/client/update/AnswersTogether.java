package io.uniserve.runtime.client.update;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.client.group.Reached;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The answers that the actors of an update gave, put together for its caller. An actor that was
 * split since has left its answers to both parts, so each is taken once. The answers of an actor
 * may be for more records than it has now.
 */
public final class AnswersTogether {
  private record Source(int actor, Position position) implements Comparable<Source> {
    @Override
    public int compareTo(Source other) {
      return actor == other.actor
          ? position.compareTo(other.position)
          : Integer.compare(actor, other.actor);
    }
  }

  private final Engines engines;
  private final String engine;
  private final SortedMap<Source, GivenAnswer> given = new TreeMap<>();

  /**
   * Puts answers together.
   *
   * @param engine the name of the engine whose values they are
   * @param parts the parts of the actors
   */
  public AnswersTogether(Engines engines, String engine, Collection<Reached.Part> parts) {
    this.engines = engines;
    this.engine = engine;
    parts.forEach(part -> part.answers().forEach(this::add));
  }

  private void add(GivenAnswer answer) {
    given.put(new Source(answer.actor(), answer.position()), answer);
  }

  /**
   * Returns the values.
   *
   * @param records the records of the update, in its caller's order
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if the update was applied before,
   *     and it is not known what was answered for a record
   */
  public List<Object> values(Supplier<List<PartitionedRecord>> records) {
    return given.values().stream().anyMatch(answer -> !answer.keys().isEmpty())
        ? ofEach(records.get())
        : given.values().stream().map(this::value).toList();
  }

  private Object value(GivenAnswer answer) {
    return Payload.ofBytes(engine, ByteBuffer.wrap(answer.value())).value(engines);
  }

  /** Records of equal keys have always been in one actor, so their answers are in their order. */
  private List<Object> ofEach(List<PartitionedRecord> records) {
    // Values may be null, which a queue cannot hold.
    Map<Long, Deque<List<?>>> byKey = new LinkedHashMap<>();
    for (GivenAnswer answer : given.values()) {
      Iterator<?> values = ((List<?>) value(answer)).iterator();
      for (long key : answer.keys()) {
        List<Object> one = new ArrayList<>();
        one.add(values.next());
        byKey.computeIfAbsent(key, fresh -> new ArrayDeque<>()).add(one);
      }
    }
    List<Object> all = new ArrayList<>();
    for (PartitionedRecord record : records) {
      Deque<List<?>> left = byKey.get(record.partitionKey().stableHash());
      if (left == null || left.isEmpty()) {
        throw new UniserveException(
            ErrorCode.NOT_FOUND,
            "the update is applied; what was answered for record "
                + record.partitionKey()
                + " is not known any more");
      }
      all.add(left.remove().getFirst());
    }
    return all;
  }
}
