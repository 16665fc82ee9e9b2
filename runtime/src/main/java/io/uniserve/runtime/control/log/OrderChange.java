package io.uniserve.runtime.control.log;

import io.uniserve.api.form.Name;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.List;

/** One change of the order of a table's updates, as the control log keeps it. */
public sealed interface OrderChange {
  /** Returns the table's identity. */
  long table();

  /**
   * The next number of a table, given to an update.
   *
   * @param table the table's identity
   * @param timeMillis the time, in milliseconds since 1970, by the coordinator's clock
   * @param key the idempotency key
   * @param engine the engine whose types the function and the records are made of
   * @param function the bytes of the update function, see {@link Payload#bytes}
   * @param portions the records of each of its actors, by number
   */
  @Name("Placed")
  record Placed(
      long table,
      long timeMillis,
      UpdateKey key,
      String engine,
      byte[] function,
      List<Portion> portions)
      implements OrderChange {
    private static final long KEY_BYTES = 40;

    /** Returns the size of the function, the records and their names. */
    public long sizeBytes() {
      return function.length
          + KEY_BYTES
          + portions.stream().mapToLong(portion -> portion.records().length + 16L).sum();
    }
  }

  /**
   * The records of an update for one actor.
   *
   * @param actor its number
   * @param records the bytes of a list of records, see {@link Payload#bytes}
   */
  record Portion(int actor, byte[] records) {}

  /**
   * The end of an update that all its actors have received, so that it is no longer needed (RB
   * §5.4: it is stable).
   *
   * @param table the table's identity
   * @param number the number of the update
   */
  @Name("Settled")
  record Settled(long table, long number) implements OrderChange {}
}
