package io.uniserve.runtime.control.log;

import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The sessions of one table that are remembered, each with the number up to which its updates have
 * places in the order (the high watermark, RB §5.5). A session is forgotten once it has placed
 * nothing for {@link #LIFETIME}, by the time of the order, so all controllers forget the same ones
 * at the same place of the log. For one thread at a time.
 */
public final class OrderSessions {
  /** The time after its last update for which a session is remembered. */
  public static final Duration LIFETIME = UpdateKey.LIFETIME;

  /** The number of sessions of one table that are remembered. */
  public static final int SESSIONS_MAX = 50_000;

  /** The sessions in the order of their last update. */
  private final SequencedMap<Hash, Mark> marks = new LinkedHashMap<>();

  /**
   * The mark of one session.
   *
   * @param session its name
   * @param placed the sequence number of its newest update that has a place
   * @param usedMillis the time of that place
   */
  public record Mark(Hash session, long placed, long usedMillis) {}

  static OrderSessions of(List<Mark> stored) {
    OrderSessions sessions = new OrderSessions();
    stored.forEach(mark -> sessions.marks.put(mark.session(), mark));
    return sessions;
  }

  List<Mark> marks() {
    return List.copyOf(marks.values());
  }

  void placed(OrderChange.OfSession updates, long timeMillis) {
    long last = updates.first() + updates.updates().size() - 1;
    marks.putLast(updates.session(), new Mark(updates.session(), last, timeMillis));
    while (forgotten(marks.firstEntry().getValue(), timeMillis)) {
      marks.pollFirstEntry();
    }
  }

  private static boolean forgotten(Mark mark, long timeMillis) {
    return mark.usedMillis() + LIFETIME.toMillis() < timeMillis;
  }

  /** Returns the mark of a session, unless it is forgotten or has placed nothing. */
  public Optional<Mark> mark(Hash session) {
    return Optional.ofNullable(marks.get(session));
  }

  /**
   * Returns whether one more session can be remembered.
   *
   * @param timeMillis the time of its first update
   */
  public boolean hasRoom(long timeMillis) {
    return marks.size() < SESSIONS_MAX || forgotten(marks.firstEntry().getValue(), timeMillis);
  }

  /** Returns the number of sessions that are remembered. */
  public int size() {
    return marks.size();
  }
}
