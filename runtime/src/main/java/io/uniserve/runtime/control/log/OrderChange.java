package io.uniserve.runtime.control.log;

import io.uniserve.api.form.Name;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.ArrayList;
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
   * The next numbers of a table, given to updates of one session in the order of their sequence.
   * Their keys follow from the session, see {@link #key}.
   *
   * @param table the table's identity
   * @param timeMillis the time of it, in milliseconds since 1970, by the coordinator's clock
   * @param session the session's name, 128 random bits
   * @param first the sequence number of the first update in the session, counted from 1
   * @param engine the engine whose types the functions and the records are made of
   * @param updates the updates
   */
  @Name("OfSession")
  record OfSession(
      long table, long timeMillis, Hash session, long first, String engine, List<Item> updates)
      implements OrderChange {

    /** Returns the key of an update of a session, by which its actors remember its outcome. */
    public static UpdateKey key(Hash session, long sequence, long timeMillis) {
      return new UpdateKey(keyName(session, sequence), timeMillis, Hash.NONE);
    }

    /** Returns the name of the key of an update of a session. */
    public static Hash keyName(Hash session, long sequence) {
      return new Hash(session.high(), session.low() + sequence);
    }

    /** Returns the updates, each as if it had come alone. */
    List<Placed> each() {
      List<Placed> each = new ArrayList<>();
      for (Item update : updates) {
        UpdateKey key = key(session, first + each.size(), timeMillis);
        each.add(new Placed(table, timeMillis, key, engine, update.function(), update.portions()));
      }
      return each;
    }
  }

  /**
   * One update of a session.
   *
   * @param function the bytes of the update function, see {@link Payload#bytes}
   * @param portions the records of each of its actors, by number
   */
  record Item(byte[] function, List<Portion> portions) {}

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

  /**
   * An operator's decision that the actors on which an update fails refuse it, so that they can go
   * on. Others may have applied it.
   *
   * @param table the table's identity
   * @param number the number of the update
   */
  @Name("DroppedUpdate")
  record Dropped(long table, long number) implements OrderChange {}
}
