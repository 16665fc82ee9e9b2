package io.uniserve.runtime.server.keys;

import io.uniserve.api.codec.Since;
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
   * @param within later former actors, see {@link Part}
   */
  @Name("ReachedOffset")
  public record Reached(int actor, long next, @Since(2) List<Integer> within) {
    /** Copies the list. */
    public Reached {
      within = List.copyOf(within);
    }

    private Reached at(long offset) {
      return new Reached(actor, offset, within);
    }

    private Reached within(int later) {
      List<Integer> longer = new ArrayList<>(within);
      longer.add(later);
      return new Reached(actor, next, longer);
    }

    private Part part() {
      return new Part(actor, within);
    }
  }

  /** Returns the mark of an actor all of which has got to an offset. */
  static Watermark of(Hash partition, Position position, long next) {
    return new Watermark(partition, position, List.of(new Reached(ALL, next, List.of())));
  }

  /**
   * Returns the mark after an update that has brought all of the actor to an offset, or further.
   * Former actors that were beyond it have applied nothing of the update.
   */
  Watermark reached(Position at, long next) {
    List<Reached> now = reached.stream().map(one -> one.at(Math.max(one.next(), next))).toList();
    boolean level = now.stream().allMatch(one -> one.next() == next);
    return level ? of(partition, at, next) : new Watermark(partition, at, now);
  }

  /** Returns whether all of the actor has got to one offset. */
  boolean isLevel() {
    return reached.getFirst().actor() == ALL;
  }

  /** Returns the parts of the actor that have got to an offset. */
  List<Part> beyond(long next) {
    return reached.stream().filter(one -> one.next() >= next).map(Reached::part).toList();
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
    Optional<List<Reached>> ofOne = ones.map(Watermark::reached);
    if (ofOne.isPresent() && ofOne.equals(others.map(Watermark::reached))) {
      return ofOne.get();
    }
    List<Reached> both = new ArrayList<>(parts(one, ones));
    both.addAll(parts(other, others));
    return both;
  }

  /** Returns what parts of an actor have reached, as parts of one that it is merged into. */
  private static List<Reached> parts(int actor, Optional<Watermark> mark) {
    if (mark.isEmpty() || mark.get().isLevel()) {
      long next = mark.map(one -> one.reached.getFirst().next()).orElse(0L);
      return List.of(new Reached(actor, next, List.of()));
    }
    // The other actor may have keys of the same former actors, by a split, and be elsewhere.
    return mark.get().reached().stream().map(one -> one.within(actor)).toList();
  }
}
