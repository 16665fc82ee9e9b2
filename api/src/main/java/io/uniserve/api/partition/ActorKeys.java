package io.uniserve.api.partition;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange.Cut;
import io.uniserve.api.partition.PartitionChange.Merge;
import io.uniserve.api.partition.PartitionChange.Where;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The keys of each actor of a table, while one change after another is made. */
final class ActorKeys {
  private final Partitioner base;

  /** The keys of each actor that a change was made to; empty for actors that have ended. */
  private final Map<Integer, Optional<Region>> changed = new TreeMap<>();

  private int next;

  /** A set of keys that one actor may have. */
  private sealed interface Region {
    /** Returns the keys that remain after a cut. */
    Region without(Where where);

    /** Returns the keys that a cut moves to the new actor. */
    Region taken(Where where);

    /** Returns the place of its first key; see {@link RingPlaces}. */
    PartitionKey first();

    /** Returns all keys of both, if together they are a region again. */
    Optional<Region> and(Region other);
  }

  /**
   * The keys of one original actor whose hashes have some bits in common.
   *
   * @param actor the number of the original actor
   * @param known a mask of the bits that all keys have in common
   * @param bits the values of these bits
   */
  private record Bits(int actor, long known, long bits) implements Region {
    @Override
    public Bits without(Where where) {
      return with(where, 0);
    }

    @Override
    public Bits taken(Where where) {
      return with(where, 1);
    }

    private Bits with(Where where, long value) {
      if (!(where instanceof Where.Bit bit) || (known >>> bit.number() & 1) == 1) {
        throw UniserveException.invalid("keys cannot be cut at " + where + ": " + this);
      }
      return new Bits(actor, known | 1L << bit.number(), bits | value << bit.number());
    }

    @Override
    public PartitionKey first() {
      if ((known & known + 1) != 0) {
        throw UniserveException.invalid("the keys are no range of a ring: " + this);
      }
      return RingPlaces.ofHash(actor, Long.reverse(bits));
    }

    @Override
    public Optional<Region> and(Region other) {
      return other instanceof Bits they
              && they.actor == actor
              && they.known == known
              && Long.bitCount(they.bits ^ bits) == 1
          ? Optional.of(new Bits(actor, known & ~(they.bits ^ bits), bits & they.bits))
          : Optional.empty();
    }
  }

  /**
   * The keys of an interval.
   *
   * @param from the first; empty for no bound
   * @param to the first that is not among them; empty for no bound
   */
  private record Interval(Optional<PartitionKey> from, Optional<PartitionKey> to)
      implements Region {
    @Override
    public Interval without(Where where) {
      return new Interval(from, Optional.of(key(where)));
    }

    @Override
    public Interval taken(Where where) {
      return new Interval(Optional.of(key(where)), to);
    }

    /** Returns the key of a cut. Refuses a cut that would leave one side without keys. */
    private PartitionKey key(Where where) {
      if (where instanceof Where.From here && isWithin(here.key())) {
        return here.key();
      }
      throw UniserveException.invalid("keys cannot be cut at " + where + ": " + this);
    }

    /** Returns whether the interval has keys before this key, and from it on. */
    boolean isWithin(PartitionKey key) {
      return key.compareTo(from.orElse(PartitionKey.LEAST)) > 0
          && to.filter(end -> end.compareTo(key) <= 0).isEmpty();
    }

    @Override
    public PartitionKey first() {
      return from.orElse(PartitionKey.LEAST);
    }

    @Override
    public Optional<Region> and(Region other) {
      if (!(other instanceof Interval they)) {
        return Optional.empty();
      }
      if (to.isPresent() && to.equals(they.from)) {
        return Optional.of(new Interval(from, they.to));
      }
      return they.to.isPresent() && they.to.equals(from)
          ? Optional.of(new Interval(they.from, to))
          : Optional.empty();
    }
  }

  /**
   * @param base the partitioner that the table began with
   */
  ActorKeys(Partitioner base) {
    this.base = base;
    this.next = base.actors();
  }

  private Region region(int actor) {
    return changed
        .computeIfAbsent(
            actor,
            number ->
                number < 0 || number >= base.actors() ? Optional.empty() : Optional.of(of(number)))
        .orElseThrow(() -> UniserveException.invalid("there is no actor " + actor));
  }

  private Region of(int number) {
    if (base instanceof Partitioner.Range range) {
      List<PartitionKey> splits = range.splits();
      return new Interval(
          number == 0 ? Optional.empty() : Optional.of(splits.get(number - 1)),
          number == splits.size() ? Optional.empty() : Optional.of(splits.get(number)));
    }
    return new Bits(number, 0, 0);
  }

  /** Makes a change that is known to be right. */
  void apply(PartitionChange change) {
    next++;
    switch (change) {
      case Cut cut -> {
        Region whole = region(cut.actor());
        changed.put(cut.actor(), Optional.of(whole.without(cut.where())));
        changed.put(cut.into(), Optional.of(whole.taken(cut.where())));
      }
      case Merge merge -> {
        Optional<Region> whole = region(merge.first()).and(region(merge.second()));
        changed.put(merge.first(), Optional.empty());
        changed.put(merge.second(), Optional.empty());
        changed.put(merge.into(), whole);
      }
    }
  }

  /**
   * Makes the next change.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} if one
   *     of its actors does not exist, or if the actor that it makes does not have the next number
   */
  void require(PartitionChange change) {
    if (change.into() != next) {
      throw UniserveException.invalid("the next change must make actor " + next + ": " + change);
    }
    if (change instanceof Merge merge
        && region(merge.first()).and(region(merge.second())).isEmpty()) {
      throw UniserveException.invalid(
          "the keys of actors "
              + merge.first()
              + " and "
              + merge.second()
              + " are not next to each other");
    }
    apply(change);
  }

  /** Returns those of the others that an actor can be merged with, the newest first. */
  List<Integer> neighbours(int actor, Collection<Integer> others) {
    Region own = region(actor);
    return others.stream()
        .filter(other -> own.and(region(other)).isPresent())
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  /** Returns actors by the places of their first keys. */
  SortedMap<PartitionKey, Integer> byPlace(Collection<Integer> actors) {
    SortedMap<PartitionKey, Integer> places = new TreeMap<>();
    actors.forEach(actor -> places.put(region(actor).first(), actor));
    return places;
  }

  /** Returns whether an actor has keys before this key, and from it on. */
  boolean isWithin(PartitionKey key, int actor) {
    return region(actor) instanceof Interval keys && keys.isWithin(key);
  }

  /** Returns the lowest bit of the hash that the keys of an actor do not have in common. */
  int nextBit(int actor) {
    return region(actor) instanceof Bits bits ? Long.numberOfTrailingZeros(~bits.known) : 0;
  }
}
