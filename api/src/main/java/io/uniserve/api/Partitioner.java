package io.uniserve.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Maps partition keys to actor numbers (DPA §3.1). A table begins with {@link Hash} or {@link
 * Range}; each split of an actor, and each merge of two, refines that.
 */
public sealed interface Partitioner {

  /** How many actors the table has had: their numbers are below that. */
  int actors();

  /** How many actors the table has. */
  default int living() {
    return actors();
  }

  /** Whether the table has an actor of this number; it has none that was merged with another. */
  default boolean has(int actor) {
    return actor >= 0 && actor < actors();
  }

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
        case Keys.OfActors some -> some.choice().apply(this);
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
      for (int i = 0; i < splits.size(); i++) {
        if ((i == 0 ? PartitionKey.LEAST : splits.get(i - 1)).compareTo(splits.get(i)) >= 0) {
          throw UniserveException.invalid(
              "range splits must ascend from the empty key: split " + i + " does not");
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
        case Keys.OfActors some -> some.choice().apply(this);
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
   * Some actors were split or merged, one after another.
   *
   * @param base what the table began with: {@link Hash} or {@link Range}
   * @param changes in the order in which they were made, at least one
   */
  record Refined(Partitioner base, List<Change> changes) implements Partitioner {
    /** Checks that each change is of actors that there are, and makes the next. */
    public Refined {
      changes = List.copyOf(changes);
      if (changes.isEmpty() || base instanceof Refined) {
        throw UniserveException.invalid("a refined partitioner has a plain one and changes");
      }
      requireActors(base.actors() + changes.size());
      ActorKeys keys = new ActorKeys(base);
      changes.forEach(keys::require);
    }

    /** As it was at a moment, in milliseconds since 1970. */
    public Partitioner asOf(long millis) {
      return first((int) changes.stream().takeWhile(one -> one.timeMillis() <= millis).count());
    }

    /** As it was after so many changes. */
    public Partitioner first(int count) {
      return count <= 0 ? base : new Refined(base, changes.subList(0, count));
    }

    @Override
    public int actors() {
      return base.actors() + changes.size();
    }

    @Override
    public int living() {
      return actors() - 2 * (int) changes.stream().filter(Merge.class::isInstance).count();
    }

    @Override
    public boolean has(int actor) {
      return actor >= 0
          && actor < actors()
          && changes.stream().noneMatch(change -> change instanceof Merge it && it.ends(actor));
    }

    @Override
    public int actorOf(PartitionKey key) {
      int actor = base.actorOf(key);
      for (Change change : changes) {
        actor = change.next(base, actor, key);
      }
      return actor;
    }

    /** Whether a key was an actor's when that was merged with another. */
    public boolean held(int actor, PartitionKey key) {
      int now = base.actorOf(key);
      for (Change change : changes) {
        if (change instanceof Merge merge && merge.ends(actor)) {
          break;
        }
        now = change.next(base, now, key);
      }
      return now == actor;
    }

    @Override
    public SortedSet<Integer> actorsOf(Keys keys) {
      if (keys instanceof Keys.Of some) {
        return actorsOfEach(this, some);
      }
      if (keys instanceof Keys.OfActors some) {
        return some.choice().apply(this);
      }
      SortedSet<Integer> actors = new TreeSet<>(base.actorsOf(keys));
      changes.forEach(change -> change.change(keys, actors));
      return actors;
    }

    @Override
    public int generation(int actor) {
      int count = 0;
      for (Change change : changes) {
        count += change.concerns(actor) ? 1 : 0;
      }
      return count;
    }

    @Override
    public long changedMillis(int actor) {
      return changes.stream()
          .filter(change -> change.concerns(actor))
          .mapToLong(Change::timeMillis)
          .max()
          .orElse(0);
    }
  }

  /** When the keys of an actor changed last, in milliseconds since 1970; 0 if they never did. */
  default long changedMillis(int actor) {
    return 0;
  }

  /** What was changed since the table began. */
  default List<Change> history() {
    return this instanceof Refined refined ? refined.changes() : List.of();
  }

  /** The same after one more cut, which makes the next actor. */
  default Refined cut(int actor, Where where, long timeMillis) {
    return with(new Cut(actor, actors(), where, timeMillis));
  }

  /** The same after two actors became one, which is the next. */
  default Refined merge(int first, int second, long timeMillis) {
    return with(new Merge(first, second, actors(), timeMillis));
  }

  /** The same after one more change. */
  default Refined with(Change change) {
    List<Change> changes = new ArrayList<>(history());
    changes.add(change);
    return new Refined(base(), changes);
  }

  /**
   * The actors that an actor can be merged with, the best first: those whose keys with its own are
   * one range of keys, or one class of hashes as a cut may have split it.
   */
  default List<Integer> neighbours(int actor) {
    ActorKeys keys = new ActorKeys(base());
    history().forEach(keys::apply);
    return keys.neighbours(actor, actorsOf(Keys.ALL));
  }

  /** Whether an actor of a range can be cut at this key, so that both parts have keys. */
  default boolean canBeCut(int actor, PartitionKey at) {
    ActorKeys keys = new ActorKeys(base());
    history().forEach(keys::apply);
    return keys.isWithin(at, actor);
  }

  /** The first bit of hashes that all keys of an actor do not have in common already. */
  default int nextBit(int actor) {
    ActorKeys keys = new ActorKeys(base());
    history().forEach(keys::apply);
    return keys.nextBit(actor);
  }

  /** A change of which actors a table has. Each makes the actor of the next number. */
  sealed interface Change {
    /** The number of the actor that was made. */
    int into();

    /** When, in milliseconds since 1970; not before the changes before it. */
    long timeMillis();

    /** Whether an actor's keys are others than before, or it ended, or it was made. */
    boolean concerns(int actor);

    /** Whose a key is then that was an actor's before. */
    int next(Partitioner base, int actor, PartitionKey key);

    /** Makes of the actors that may hold some keys before those that may then. */
    void change(Keys keys, SortedSet<Integer> actors);
  }

  /**
   * That some keys of an actor became another.
   *
   * @param actor which was split
   * @param into the number of the actor that was made
   * @param where which of the keys that one holds
   * @param timeMillis when, in milliseconds since 1970; not before the cuts before it
   */
  record Cut(int actor, int into, Where where, long timeMillis) implements Change {
    @Override
    public boolean concerns(int other) {
      return other == actor || other == into;
    }

    @Override
    public int next(Partitioner base, int before, PartitionKey key) {
      return before == actor && takes(base, key) ? into : before;
    }

    private boolean takes(Partitioner base, PartitionKey key) {
      return switch (where) {
        case Where.From from -> key.compareTo(from.key()) >= 0;
        case Where.Bit bit ->
            (Long.divideUnsigned(key.stableHash(), base.actors()) >>> bit.number() & 1) == 1;
      };
    }

    /** Of the actor's keys, a range may hold none that went, or none that stayed. */
    @Override
    public void change(Keys keys, SortedSet<Integer> actors) {
      if (!actors.contains(actor)) {
        return;
      }
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

  /**
   * That two actors became one. Both ended with it, and their numbers are nobody's again.
   *
   * @param first one
   * @param second the other
   * @param into the number of the actor that was made
   * @param timeMillis when, in milliseconds since 1970; not before the changes before it
   */
  record Merge(int first, int second, int into, long timeMillis) implements Change {
    /** Whether this is one of the two. */
    public boolean ends(int actor) {
      return actor == first || actor == second;
    }

    @Override
    public boolean concerns(int actor) {
      return ends(actor) || actor == into;
    }

    @Override
    public int next(Partitioner base, int before, PartitionKey key) {
      return ends(before) ? into : before;
    }

    @Override
    public void change(Keys keys, SortedSet<Integer> actors) {
      if (actors.remove(first) | actors.remove(second)) {
        actors.add(into);
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
