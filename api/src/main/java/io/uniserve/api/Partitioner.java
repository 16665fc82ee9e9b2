package io.uniserve.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Maps partition keys to actor numbers (DPA §3.1). A table begins with {@link Hash} or {@link
 * Range}; each split of an actor refines that.
 */
public sealed interface Partitioner {

  /** How many actors the table has. */
  int actors();

  /** The number of the actor that holds this key. */
  int actorOf(PartitionKey key);

  /** The numbers of the actors that may hold keys of this selection, ascending. */
  SortedSet<Integer> actorsOf(Keys keys);

  /** What the table began with. */
  default Partitioner base() {
    return this;
  }

  /**
   * How often this actor's keys have changed: an answer that it gave in one generation is of other
   * keys than one of the next.
   */
  default int generation(int actor) {
    return 0;
  }

  /**
   * Spreads keys evenly whatever their order.
   *
   * @param actors how many, at least 1
   */
  record Hash(int actors) implements Partitioner {
    /** Checks the count. */
    public Hash {
      requireActors(actors);
    }

    @Override
    public int actorOf(PartitionKey key) {
      return (int) Long.remainderUnsigned(key.stableHash(), actors);
    }

    @Override
    public SortedSet<Integer> actorsOf(Keys keys) {
      return switch (keys) {
        case Keys.Of some -> actorsOfEach(this, some);
        case Keys.All all -> everyActor(this);
        case Keys.Range range -> everyActor(this);
      };
    }
  }

  /**
   * Keeps neighbouring keys together.
   *
   * @param splits ascending; actor {@code i} holds the keys from {@code splits[i-1]} inclusive to
   *     {@code splits[i]} exclusive, so there is one actor more than splits
   */
  record Range(List<PartitionKey> splits) implements Partitioner {
    /** Copies the splits and checks that they ascend. */
    public Range {
      splits = List.copyOf(splits);
      requireActors(splits.size() + 1);
      for (int i = 1; i < splits.size(); i++) {
        if (splits.get(i - 1).compareTo(splits.get(i)) >= 0) {
          throw UniserveException.invalid("range splits must ascend: split " + i + " does not");
        }
      }
    }

    @Override
    public int actors() {
      return splits.size() + 1;
    }

    @Override
    public int actorOf(PartitionKey key) {
      int place = Collections.binarySearch(splits, key);
      return place >= 0 ? place + 1 : -place - 1;
    }

    @Override
    public SortedSet<Integer> actorsOf(Keys keys) {
      return switch (keys) {
        case Keys.All all -> everyActor(this);
        case Keys.Of some -> actorsOfEach(this, some);
        case Keys.Range range -> overlapping(range);
      };
    }

    private SortedSet<Integer> overlapping(Keys.Range range) {
      int first = range.from().map(this::actorOf).orElse(0);
      int last = range.to().map(this::lastActorBelow).orElse(actors() - 1);
      return new TreeSet<>(IntStream.rangeClosed(first, last).boxed().toList());
    }

    private int lastActorBelow(PartitionKey exclusiveEnd) {
      int place = Collections.binarySearch(splits, exclusiveEnd);
      return place >= 0 ? place : -place - 1;
    }
  }

  /**
   * Some actors were split, one after another.
   *
   * @param base what the table began with: {@link Hash} or {@link Range}
   * @param cuts in the order in which they were made, at least one
   */
  record Refined(Partitioner base, List<Cut> cuts) implements Partitioner {
    /** Checks that each cut is of an actor that there is, and makes the next. */
    public Refined {
      cuts = List.copyOf(cuts);
      if (cuts.isEmpty() || base instanceof Refined) {
        throw UniserveException.invalid("a refined partitioner has a plain one and cuts");
      }
      requireActors(base.actors() + cuts.size());
      for (int i = 0; i < cuts.size(); i++) {
        int next = base.actors() + i;
        if (cuts.get(i).actor() < 0 || cuts.get(i).actor() >= next || cuts.get(i).into() != next) {
          throw UniserveException.invalid(
              "cut " + i + " makes actor " + next + " of one before it, not as " + cuts.get(i));
        }
      }
    }

    /** As it was at a moment, in milliseconds since 1970. */
    public Partitioner asOf(long millis) {
      List<Cut> made = cuts.stream().takeWhile(cut -> cut.timeMillis() <= millis).toList();
      return made.isEmpty() ? base : new Refined(base, made);
    }

    @Override
    public int actors() {
      return base.actors() + cuts.size();
    }

    @Override
    public int actorOf(PartitionKey key) {
      int actor = base.actorOf(key);
      for (Cut cut : cuts) {
        actor = actor == cut.actor() && cut.takes(base, key) ? cut.into() : actor;
      }
      return actor;
    }

    @Override
    public SortedSet<Integer> actorsOf(Keys keys) {
      if (keys instanceof Keys.Of some) {
        return actorsOfEach(this, some);
      }
      SortedSet<Integer> actors = new TreeSet<>(base.actorsOf(keys));
      cuts.stream()
          .filter(cut -> actors.contains(cut.actor()))
          .forEach(cut -> cut.add(keys, actors));
      return actors;
    }

    @Override
    public int generation(int actor) {
      int changes = 0;
      for (Cut cut : cuts) {
        changes += cut.actor() == actor || cut.into() == actor ? 1 : 0;
      }
      return changes;
    }

    @Override
    public long cutMillis(int actor) {
      return cuts.stream()
          .filter(cut -> cut.actor() == actor || cut.into() == actor)
          .mapToLong(Cut::timeMillis)
          .max()
          .orElse(0);
    }
  }

  /** When the keys of an actor changed last, in milliseconds since 1970; 0 if they never did. */
  default long cutMillis(int actor) {
    return 0;
  }

  /** The same after one more cut, which makes the next actor. */
  default Refined cut(int actor, Where where, long timeMillis) {
    List<Cut> cuts = new ArrayList<>(this instanceof Refined refined ? refined.cuts() : List.of());
    cuts.add(new Cut(actor, actors(), where, timeMillis));
    return new Refined(base(), cuts);
  }

  /**
   * That some keys of an actor became another.
   *
   * @param actor which was split
   * @param into the number of the actor that was made
   * @param where which of the keys that one holds
   * @param timeMillis when, in milliseconds since 1970; not before the cuts before it
   */
  record Cut(int actor, int into, Where where, long timeMillis) {
    private boolean takes(Partitioner base, PartitionKey key) {
      return switch (where) {
        case Where.From from -> key.compareTo(from.key()) >= 0;
        case Where.Bit bit ->
            (Long.divideUnsigned(key.stableHash(), base.actors()) >>> bit.number() & 1) == 1;
      };
    }

    /** Of the actor's keys, a range may hold none that went, or none that stayed. */
    private void add(Keys keys, SortedSet<Integer> actors) {
      Where.From from = where instanceof Where.From here ? here : null;
      Keys.Range range = keys instanceof Keys.Range some ? some : null;
      if (from == null || range == null) {
        actors.add(into);
        return;
      }
      if (range.to().filter(to -> to.compareTo(from.key()) <= 0).isEmpty()) {
        actors.add(into);
      }
      if (range.from().filter(first -> first.compareTo(from.key()) >= 0).isPresent()) {
        actors.remove(actor);
      }
    }
  }

  /** Which of an actor's keys a cut takes. */
  sealed interface Where {
    /** How many times the actors of a hash can be split one after another. */
    int BITS = 32;

    /**
     * Of a table that is partitioned by range: the keys from one on.
     *
     * @param key the first
     */
    record From(PartitionKey key) implements Where {}

    /**
     * Of a table that is partitioned by hash: those with a one here in {@link
     * PartitionKey#stableHash}, divided by the number of actors that the table began with.
     *
     * @param number of the bit, the lowest is 0
     */
    record Bit(int number) implements Where {
      /** Checks the number. */
      public Bit {
        if (number < 0 || number >= BITS) {
          throw UniserveException.invalid("bit " + number + ", of " + BITS);
        }
      }
    }
  }

  /** The most actors of one table. */
  int ACTORS_MAX = 100_000;

  private static void requireActors(int actors) {
    if (actors < 1 || actors > ACTORS_MAX) {
      throw UniserveException.invalid("a table has 1 to " + ACTORS_MAX + " actors, not " + actors);
    }
  }

  private static SortedSet<Integer> everyActor(Partitioner partitioner) {
    return new TreeSet<>(IntStream.range(0, partitioner.actors()).boxed().toList());
  }

  private static SortedSet<Integer> actorsOfEach(Partitioner partitioner, Keys.Of some) {
    TreeSet<Integer> actors = new TreeSet<>();
    some.keys().forEach(key -> actors.add(partitioner.actorOf(key)));
    return actors;
  }
}
