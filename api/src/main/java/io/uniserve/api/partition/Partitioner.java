package io.uniserve.api.partition;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A map from partition keys to actor numbers (DPA §3.1). A table begins with {@link Hash} or {@link
 * Range}. Each split of an actor, and each merge of two, refines it.
 */
public sealed interface Partitioner {

  /**
   * Returns the number of actors that the table has ever had. The numbers of all actors are below
   * it.
   */
  int actors();

  /** Returns the number of actors that the table has now. */
  default int living() {
    return actors();
  }

  /**
   * Returns whether the table has an actor of this number now. An actor that was merged with
   * another has ended.
   */
  default boolean has(int actor) {
    return actor >= 0 && actor < actors();
  }

  /** Returns the actor that a merged actor has become; the same number if it was not merged. */
  default int became(int actor) {
    int now = actor;
    for (PartitionChange change : history()) {
      if (change instanceof PartitionChange.Merge merge && merge.ends(now)) {
        now = merge.into();
      }
    }
    return now;
  }

  /** Returns the number of the actor that holds this key. */
  int actorOf(PartitionKey key);

  /** Returns the numbers of the actors that may hold keys of this selection, in ascending order. */
  SortedSet<Integer> actorsOf(Keys keys);

  /** Returns the partitioner that the table began with. */
  default Partitioner base() {
    return this;
  }

  /**
   * Returns the number of times that this actor's keys have changed. Answers of two generations of
   * an actor are about different keys.
   */
  default int generation(int actor) {
    return 0;
  }

  /**
   * A partitioner that spreads keys evenly by their hashes.
   *
   * @param actors the number of actors, at least 1
   */
  @Name("Hash")
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
   * A partitioner that keeps neighbouring keys together.
   *
   * @param splits ascending; actor {@code i} holds the keys from {@code splits[i-1]} inclusive to
   *     {@code splits[i]} exclusive, so there is one actor more than splits
   */
  @Name("Range")
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
   * A partitioner some of whose actors were split or merged, one after another.
   *
   * @param base the partitioner that the table began with: {@link Hash} or {@link Range}
   * @param changes the changes in the order in which they were made, at least one
   */
  @Name("Refined")
  record Refined(Partitioner base, List<PartitionChange> changes) implements Partitioner {
    /** Checks that the actors of each change exist and that it makes the next actor. */
    public Refined {
      changes = List.copyOf(changes);
      if (changes.isEmpty() || base instanceof Refined) {
        throw UniserveException.invalid(
            "a refined partitioner needs a plain base and at least one change");
      }
      requireActors(base.actors() + changes.size());
      ActorKeys keys = new ActorKeys(base);
      changes.forEach(keys::require);
    }

    /** Returns the partitioner as it was at a moment, in milliseconds since 1970. */
    public Partitioner asOf(long millis) {
      return first((int) changes.stream().takeWhile(one -> one.timeMillis() <= millis).count());
    }

    /** Returns the partitioner as it was after the first changes. */
    public Partitioner first(int count) {
      return count <= 0 ? base : new Refined(base, changes.subList(0, count));
    }

    @Override
    public int actors() {
      return base.actors() + changes.size();
    }

    @Override
    public int living() {
      return actors()
          - 2 * (int) changes.stream().filter(PartitionChange.Merge.class::isInstance).count();
    }

    @Override
    public boolean has(int actor) {
      return actor >= 0
          && actor < actors()
          && changes.stream()
              .noneMatch(change -> change instanceof PartitionChange.Merge it && it.ends(actor));
    }

    @Override
    public int actorOf(PartitionKey key) {
      int actor = base.actorOf(key);
      for (PartitionChange change : changes) {
        actor = change.next(base, actor, key);
      }
      return actor;
    }

    /** Returns whether an actor held a key, now or when it was merged with another. */
    public boolean held(int actor, PartitionKey key) {
      int now = base.actorOf(key);
      for (PartitionChange change : changes) {
        if (change instanceof PartitionChange.Merge merge && merge.ends(actor)) {
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
      for (PartitionChange change : changes) {
        count += change.concerns(actor) ? 1 : 0;
      }
      return count;
    }

    @Override
    public long changedMillis(int actor) {
      return changes.stream()
          .filter(change -> change.concerns(actor))
          .mapToLong(PartitionChange::timeMillis)
          .max()
          .orElse(0);
    }
  }

  /**
   * Returns the time at which the keys of an actor changed last, in milliseconds since 1970; 0 if
   * they never did.
   */
  default long changedMillis(int actor) {
    return 0;
  }

  /** Returns all changes since the table began. */
  default List<PartitionChange> history() {
    return this instanceof Refined refined ? refined.changes() : List.of();
  }

  /** Returns the partitioner as it was when the table had had this many actors. */
  default Partitioner ofFirst(int actors) {
    return this instanceof Refined refined ? refined.first(actors - base().actors()) : this;
  }

  /** Returns the splits of actors that still exist, in their order. */
  default Stream<PartitionChange.Cut> actorSplits() {
    return history().stream()
        .filter(PartitionChange.Cut.class::isInstance)
        .map(PartitionChange.Cut.class::cast)
        .filter(split -> has(split.actor()));
  }

  /** Returns this partitioner after one more cut, which makes the next actor. */
  default Refined cut(int actor, PartitionChange.Where where, long timeMillis) {
    return with(new PartitionChange.Cut(actor, actors(), where, timeMillis));
  }

  /** Returns this partitioner after a merge of two actors, which makes the next actor. */
  default Refined merge(int first, int second, long timeMillis) {
    return with(new PartitionChange.Merge(first, second, actors(), timeMillis));
  }

  /** Returns this partitioner after one more change. */
  default Refined with(PartitionChange change) {
    List<PartitionChange> changes = new ArrayList<>(history());
    changes.add(change);
    return new Refined(base(), changes);
  }

  /**
   * Returns the actors that an actor can be merged with, the best first. Their keys and its own
   * must make up one range, or one class of hashes that a cut could have split.
   */
  default List<Integer> neighbours(int actor) {
    ActorKeys keys = new ActorKeys(base());
    history().forEach(keys::apply);
    return keys.neighbours(actor, actorsOf(Keys.ALL));
  }

  /** Returns whether an actor of a range can be cut at this key so that both parts have keys. */
  default boolean canBeCut(int actor, PartitionKey at) {
    ActorKeys keys = new ActorKeys(base());
    history().forEach(keys::apply);
    return keys.isWithin(at, actor);
  }

  /**
   * Returns the actors by the places of their first keys on a ring of all keys; see {@link
   * RingPlaces}.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if the keys of some actor are
   *     no range, since hashes were merged in another order than they were split
   */
  default SortedMap<PartitionKey, Integer> ring() {
    ActorKeys keys = new ActorKeys(base());
    history().forEach(keys::apply);
    return keys.byPlace(actorsOf(Keys.ALL));
  }

  /** Returns the lowest bit of the hash that the keys of an actor do not have in common. */
  default int nextBit(int actor) {
    ActorKeys keys = new ActorKeys(base());
    history().forEach(keys::apply);
    return keys.nextBit(actor);
  }

  /**
   * Returns a key of each actor: the first key of a range, or a key that is found by trying for a
   * hash.
   *
   * @throws UniserveException with {@link ErrorCode#EXHAUSTED} if no key is found because an actor
   *     has been split too often
   */
  default SortedMap<Integer, PartitionKey> keyOfEach() {
    SortedMap<Integer, PartitionKey> keys = new TreeMap<>();
    if (base() instanceof Range range) {
      keys.put(actorOf(PartitionKey.LEAST), PartitionKey.LEAST);
      range.splits().forEach(key -> keys.putIfAbsent(actorOf(key), key));
      for (PartitionChange change : history()) {
        if (change instanceof PartitionChange.Cut cut
            && cut.where() instanceof PartitionChange.Where.From from) {
          keys.putIfAbsent(actorOf(from.key()), from.key());
        }
      }
      return keys;
    }
    for (long candidate = 0; keys.size() < living(); candidate++) {
      if (candidate > CANDIDATES_MAX) {
        throw new UniserveException(
            ErrorCode.EXHAUSTED,
            "some actors have been split so often that no key of theirs is found");
      }
      PartitionKey key = PartitionKey.of(candidate);
      keys.putIfAbsent(actorOf(key), key);
    }
    return keys;
  }

  /**
   * The most keys that are tried. An actor that was split in halves 20 times has one key in a
   * million.
   */
  long CANDIDATES_MAX = 1L << 28;

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
