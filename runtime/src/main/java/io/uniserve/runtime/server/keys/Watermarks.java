package io.uniserve.runtime.server.keys;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.StreamOffsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The watermarks of an actor: how far it has got in each partition of each stream. Unlike keys,
 * they do not expire. They follow from the entries of the log alone, so all copies have the same.
 * For one thread at a time.
 */
public final class Watermarks {
  /**
   * The number of partitions whose marks are kept. Of more, those are forgotten that advanced
   * longest ago, which are those of streams that are no more.
   */
  static final int MARKS_MAX = 10_000;

  /** By partition, the one that advanced last at the end. */
  private final Map<Hash, Watermark> marks = new LinkedHashMap<>();

  /** Creates the marks that a checkpoint has. */
  public Watermarks(List<Watermark> stored) {
    stored.forEach(mark -> marks.put(mark.partition(), mark));
  }

  /** Returns all marks, to be stored. */
  public List<Watermark> stored() {
    return List.copyOf(marks.values());
  }

  /** Returns the marks of an actor that is merged from two. */
  public static List<Watermark> ofTwo(
      int one, List<Watermark> ones, int other, List<Watermark> others) {
    Map<Hash, Watermark> first = new Watermarks(ones).marks;
    Map<Hash, Watermark> second = new Watermarks(others).marks;
    Set<Hash> partitions = new LinkedHashSet<>(first.keySet());
    partitions.addAll(second.keySet());
    List<Watermark> both = new ArrayList<>();
    for (Hash partition : partitions) {
      Optional<Watermark> its = Optional.ofNullable(first.get(partition));
      Optional<Watermark> theirs = Optional.ofNullable(second.get(partition));
      both.add(
          new Watermark(
              partition,
              its.or(() -> theirs).orElseThrow().position(),
              Watermark.together(one, its, other, theirs)));
    }
    return both;
  }

  /**
   * Returns what is known of records of a stream, as of an update that was applied with a key;
   * empty if none of the actor has applied them.
   */
  public Optional<AppliedKey> find(StreamOffsets offsets) {
    Watermark mark = marks.get(offsets.partition());
    List<Part> applied = mark == null ? List.of() : mark.beyond(offsets.next());
    if (applied.isEmpty()) {
      return Optional.empty();
    }
    boolean whole = applied.size() == mark.reached().size();
    return Optional.of(
        new AppliedKey(
            offsets.partition(),
            Hash.NONE,
            mark.position(),
            Long.MAX_VALUE,
            whole ? List.of() : applied,
            List.of()));
  }

  /**
   * Requires that the actor has applied all of some records or none of them.
   *
   * @throws UniserveException with {@link ErrorCode#ABORTED} if it has applied a part; whoever
   *     sends less at once gets on
   */
  public void requireUncut(StreamOffsets offsets) {
    Watermark mark = marks.get(offsets.partition());
    OptionalLong cut =
        mark == null ? OptionalLong.empty() : mark.between(offsets.first(), offsets.next());
    if (cut.isPresent()) {
      throw new UniserveException(
          ErrorCode.ABORTED,
          "of the stream's records "
              + offsets.first()
              + " to "
              + (offsets.next() - 1)
              + ", those before "
              + cut.getAsLong()
              + " are applied already: send them in two updates");
    }
  }

  /** Notes that all of the actor has applied records of a stream. */
  public void reached(StreamOffsets offsets, Position position) {
    Watermark before = marks.remove(offsets.partition());
    Watermark now =
        before == null
            ? Watermark.of(offsets.partition(), position, offsets.next())
            : before.reached(position, offsets.next());
    marks.put(offsets.partition(), now);
    while (marks.size() > MARKS_MAX) {
      marks.remove(marks.keySet().iterator().next());
    }
  }
}
