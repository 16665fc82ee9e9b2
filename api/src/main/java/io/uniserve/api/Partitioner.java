package io.uniserve.api;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Maps partition keys to actor numbers (DPA §3.1). Fixed for the life of a table. */
public sealed interface Partitioner {

  /** How many actors the table has. */
  int actors();

  /** The number of the actor that holds this key. */
  int actorOf(PartitionKey key);

  /** The numbers of the actors that may hold keys of this selection, ascending. */
  SortedSet<Integer> actorsOf(Keys keys);

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
