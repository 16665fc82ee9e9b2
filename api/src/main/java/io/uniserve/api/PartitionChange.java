package io.uniserve.api;

import io.uniserve.api.codec.Name;
import java.util.SortedSet;

/** A change of which actors a table has. Each makes the actor of the next number. */
public sealed interface PartitionChange {
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

  /**
   * That some keys of an actor became another.
   *
   * @param actor which was split
   * @param into the number of the actor that was made
   * @param where which of the keys that one holds
   * @param timeMillis when, in milliseconds since 1970; not before the cuts before it
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
  @Name("Merge")
  record Merge(int first, int second, int into, long timeMillis) implements PartitionChange {
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
    @Name("From")
    record From(PartitionKey key) implements Where {}

    /**
     * Of a table that is partitioned by hash: those with a one here in {@link
     * PartitionKey#stableHash}, divided by the number of actors that the table began with.
     *
     * @param number of the bit, the lowest is 0
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
