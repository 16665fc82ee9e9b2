package io.uniserve.runtime.control.log;

import io.uniserve.runtime.control.log.Decision.Receipt;
import io.uniserve.runtime.wire.ControlMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The requests that were done, so that none is done twice. It keeps, for each sender, those whose
 * answers the sender may not have yet. It is part of the replicated state: the same on every
 * controller at the same place of the log. The senders silent for longest are forgotten once there
 * are too many.
 */
public final class Sessions {
  /** The number of senders that are remembered. */
  static final int SENDERS_MAX = 10_000;

  /** The number of requests of one sender that may be without an answer. */
  static final int OPEN_MAX = 1_024;

  private static final class Session {
    private final TreeMap<Long, Receipt> receipts = new TreeMap<>();
    private long answeredBelow = 1;
  }

  /** The sessions in the order of their last request. */
  private final LinkedHashMap<String, Session> bySender = new LinkedHashMap<>();

  /** The standing of a request. */
  public sealed interface Standing {
    /** The request was not done yet. */
    record Fresh() implements Standing {}

    /**
     * The request was done.
     *
     * @param answer that it got
     */
    record Done(ControlMessage answer) implements Standing {}

    /**
     * The request is outdated: its sender has had the answer, or has too many requests open. Nobody
     * waits for it.
     */
    record Outdated() implements Standing {}
  }

  public Standing standing(String sender, long sequence) {
    Session session = bySender.get(sender);
    if (session == null) {
      return new Standing.Fresh();
    }
    Receipt receipt = session.receipts.get(sequence);
    if (receipt != null) {
      return new Standing.Done(receipt.answer());
    }
    boolean outdated = sequence < session.answeredBelow || session.receipts.size() >= OPEN_MAX;
    return outdated ? new Standing.Outdated() : new Standing.Fresh();
  }

  void add(Receipt receipt) {
    Session known = bySender.remove(receipt.sender());
    Session session = known == null ? new Session() : known;
    bySender.put(receipt.sender(), session);
    session.receipts.put(receipt.sequence(), receipt);
    session.answeredBelow = Math.max(session.answeredBelow, receipt.answeredBelow());
    session.receipts.headMap(session.answeredBelow).clear();
    if (bySender.size() > SENDERS_MAX) {
      bySender.pollFirstEntry();
    }
  }

  /** Returns everything, in an order from which {@link #add} restores the same. */
  List<Receipt> receipts() {
    List<Receipt> all = new ArrayList<>();
    for (Map.Entry<String, Session> session : bySender.entrySet()) {
      session.getValue().receipts.values().stream()
          .map(receipt -> withFloor(receipt, session.getValue().answeredBelow))
          .forEach(all::add);
    }
    return all;
  }

  private static Receipt withFloor(Receipt receipt, long answeredBelow) {
    return new Receipt(receipt.sender(), receipt.sequence(), answeredBelow, receipt.answer());
  }

  static Sessions of(List<Receipt> receipts) {
    Sessions sessions = new Sessions();
    receipts.forEach(sessions::add);
    return sessions;
  }
}
