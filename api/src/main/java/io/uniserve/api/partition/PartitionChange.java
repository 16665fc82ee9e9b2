package io.uniserve.api.partition;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import java.util.SortedSet;

/**
 * A split of an actor, or a merge of two. Each change makes one actor, which gets the next number.
 */
public sealed interface PartitionChange {
  /** Returns the number of the actor that was made. */
  int into();

  /**
   * Returns the time of the change, in milliseconds since 1970. It is not before that of earlier
   * changes.
   */
  long timeMillis();

  /** Returns whether the change makes an actor, ends it, or changes its keys. */
  boolean concerns(int actor);

  /** Returns the actor that has a key after the change. */
  int next(Partitioner base, int actor, PartitionKey key);

  /**
   * Changes a set of actors that may hold some keys: on call those before the change, on return
   * those after it.
   */
  void change(Keys keys, SortedSet<Integer> actors);

  /**
   * A split: some keys of an actor moved to a new one.
   *
   * @param actor the number of the actor that was split
   * @param into the number of the actor that was made
   * @param where the keys that the new actor holds
   * @param timeMillis the time, in milliseconds since 1970; not before that of earlier changes
   */
  @Name("Cut")
  record Cut(int actor, int into, Where where, long timeMillis) implements PartitionChange {
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

    /** Adds the new actor, and removes the old one, where a range of keys requires it. */
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
   * A merge: two actors ended and became a new one. Their numbers are never used again.
   *
   * @param first the number of one actor
   * @param second the number of the other
   * @param into the number of the actor that was made
   * @param timeMillis the time, in milliseconds since 1970; not before that of earlier changes
   */
  @Name("Merge")
  record Merge(int first, int second, int into, long timeMillis) implements PartitionChange {
    /** Returns whether an actor is one of the two that ended. */
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

  /** The keys that a cut moves from an actor to a new one. */
  sealed interface Where {
    /** The number of times that the actors of a hash can be split one after another. */
    int BITS = 32;

    /**
     * The keys from one key on, of a table that is partitioned by range.
     *
     * @param key the first key
     */
    @Name("From")
    record From(PartitionKey key) implements Where {}

    /**
     * The keys whose hash has a one at some bit, of a table that is partitioned by hash. The bit is
     * one of {@link PartitionKey#stableHash} divided by the number of actors that the table began
     * with.
     *
     * @param number the number of the bit, from the lowest, which is 0
     */
    @Name("Bit")
    record Bit(int number) implements Where {
      /** Checks the number. */
      public Bit {
        if (number < 0 || number >= BITS) {
          throw UniserveException.invalid("bit " + number + ", of " + BITS);
        }
      }
    }
  }
}
