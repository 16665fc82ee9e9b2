package io.uniserve.runtime.wire.entry;

import java.util.Arrays;
import java.util.List;

/**
 * An answer that an actor once gave to an update. The actor may have been split or merged since.
 * Both parts of a split actor have its answers, so they are told apart by actor and position.
 *
 * @param actor the number of the actor that applied the update
 * @param position the place of the update in that actor's log
 * @param keys the {@linkplain io.uniserve.api.partition.PartitionKey#stableHash hashes} of the
 *     records' partition keys in their order, if there is a value for each record; otherwise none
 * @param value the bytes of a {@link Payload}
 */
public record GivenAnswer(int actor, Position position, List<Long> keys, byte[] value) {
  /** Copies the keys. */
  public GivenAnswer {
    keys = List.copyOf(keys);
  }

  /** Returns the same answer at another position. */
  public GivenAnswer at(Position other) {
    return new GivenAnswer(actor, other, keys, value);
  }

  /** Returns the size of the answer and its keys in memory, in bytes. */
  public int sizeBytes() {
    return value.length + keys.size() * Long.BYTES;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GivenAnswer answer
        && actor == answer.actor
        && position.equals(answer.position)
        && keys.equals(answer.keys)
        && Arrays.equals(value, answer.value);
  }

  @Override
  public int hashCode() {
    return 31 * actor + position.hashCode();
  }
}
