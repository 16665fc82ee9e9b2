package io.uniserve.runtime.server.keys;

import io.uniserve.api.form.Name;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A mark of how far an actor has got in a partition of a stream: it has applied all of its records
 * before an offset.
 *
 * @param partition the partition, see {@link io.uniserve.runtime.wire.entry.StreamOffsets}
 * @param position the position of the last update that has records of the partition
 * @param reached the offset, or that of each former actor, since merged into this one, if they
 *     differ
 */
@Name("Watermark")
public record Watermark(Hash partition, Position position, List<Reached> reached) {
  /** The number that stands for all of the actor. */
  static final int ALL = -1;

  /** Copies the list. */
  public Watermark {
    reached = List.copyOf(reached);
  }

  /**
   * An offset.
   *
   * @param actor the number of a former actor; {@link #ALL} for all of the present one
   * @param next the offset before which it has applied all records
   */
  @Name("ReachedOffset")
  public record Reached(int actor, long next) {}

  /** Returns the mark of an actor all of which has got to an offset. */
  static Watermark of(Hash partition, Position position, long next) {
    return new Watermark(partition, position, List.of(new Reached(ALL, next)));
  }

  /** Returns whether all of the actor has got to one offset. */
  boolean isLevel() {
    return reached.getFirst().actor() == ALL;
  }

  /** Returns the former actors that have got to an offset. */
  List<Integer> beyond(long next) {
    return reached.stream().filter(one -> one.next() >= next).map(Reached::actor).toList();
  }

  /** Returns an offset between two that any of the actor has got to, and not further. */
  OptionalLong between(long first, long next) {
    return reached.stream()
        .mapToLong(Reached::next)
        .filter(offset -> offset > first && offset < next)
        .min();
  }

  /** Returns the offsets of two actors, the one of which may have seen nothing of the partition. */
  static List<Reached> together(
      int one, Optional<Watermark> ones, int other, Optional<Watermark> others) {
    boolean equal =
        ones.filter(Watermark::isLevel).isPresent()
            && others.filter(Watermark::isLevel).isPresent()
            && ones.get().reached().equals(others.get().reached());
    if (equal) {
      return ones.get().reached();
    }
    List<Reached> both = new ArrayList<>(parts(one, ones));
    both.addAll(parts(other, others));
    return both.stream().distinct().toList();
  }

  private static List<Reached> parts(int actor, Optional<Watermark> mark) {
    if (mark.isEmpty() || mark.get().isLevel()) {
      return List.of(new Reached(actor, mark.map(one -> one.reached.getFirst().next()).orElse(0L)));
    }
    return mark.get().reached();
  }
}
