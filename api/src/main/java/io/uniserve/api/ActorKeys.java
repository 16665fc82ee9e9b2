package io.uniserve.api;

import io.uniserve.api.PartitionChange.Cut;
import io.uniserve.api.PartitionChange.Merge;
import io.uniserve.api.PartitionChange.Where;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Which keys each actor of a table has, while one change after another is made. */
final class ActorKeys {
  private final Partitioner base;

  /** Of the actors that a change was made to; empty of those that have ended. */
  private final Map<Integer, Optional<Region>> changed = new TreeMap<>();

  private int next;

  /** Keys that have something in common. */
  private sealed interface Region {
    /** What a cut leaves. */
    Region without(Where where);

    /** What a cut takes. */
    Region taken(Where where);

    /** All keys of both, if they have something in common that no others have. */
    Optional<Region> and(Region other);
  }

  /**
   * Some bits of the hashes.
   *
   * @param actor of the base
   * @param known which bits all keys have in common
   * @param bits what those are
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
   * Successive keys.
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

    /** A cut at the first key, or beyond the last, leaves or takes nothing, and is none. */
    private PartitionKey key(Where where) {
      if (where instanceof Where.From here && isWithin(here.key())) {
        return here.key();
      }
      throw UniserveException.invalid("keys cannot be cut at " + where + ": " + this);
    }

    /** Whether there are keys before this one, and from it on. */
    boolean isWithin(PartitionKey key) {
      return key.compareTo(from.orElse(PartitionKey.LEAST)) > 0
          && to.filter(end -> end.compareTo(key) <= 0).isEmpty();
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
   * @param base what the table began with
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
   * @throws UniserveException if it is not of actors that there are, or does not make the next
   */
  void require(PartitionChange change) {
    if (change.into() != next) {
      throw UniserveException.invalid("the next actor is " + next + ", not as " + change);
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

  /** Those of some actors that one can be merged with, the one made last first. */
  List<Integer> neighbours(int actor, Collection<Integer> others) {
    Region own = region(actor);
    return others.stream()
        .filter(other -> own.and(region(other)).isPresent())
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  /** Whether an actor has keys before this one, and from it on. */
  boolean isWithin(PartitionKey key, int actor) {
    return region(actor) instanceof Interval keys && keys.isWithin(key);
  }

  /** The lowest bit that the keys of an actor do not have in common. */
  int nextBit(int actor) {
    return region(actor) instanceof Bits bits ? Long.numberOfTrailingZeros(~bits.known) : 0;
  }
}
