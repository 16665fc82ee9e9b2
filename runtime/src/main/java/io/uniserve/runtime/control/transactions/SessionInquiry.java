package io.uniserve.runtime.control.transactions;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.control.log.DeferredReply;
import io.uniserve.runtime.wire.OrderedMessage.Applied;
import io.uniserve.runtime.wire.OrderedMessage.AppliedUpdate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One question of a session for outcomes of its updates. Outcomes that become known together are
 * one answer. Only for the deciding thread.
 */
final class SessionInquiry implements OrderEntry.Waiter {
  private final Incoming call;
  private final long askedNanos;
  private final Consumer<SessionInquiry> known;

  /** The sequence numbers of updates without a known outcome. */
  private final Map<OrderEntry, Long> open = new LinkedHashMap<>();

  private final List<AppliedUpdate> applied = new ArrayList<>();
  private final List<Long> settled = new ArrayList<>();
  private boolean over;

  /**
   * @param askedNanos the time at which it came
   * @param known called when there is an outcome to be told
   */
  SessionInquiry(Incoming call, long askedNanos, Consumer<SessionInquiry> known) {
    this.call = call;
    this.askedNanos = askedNanos;
    this.known = known;
  }

  long askedNanos() {
    return askedNanos;
  }

  /** Asks for the outcome of an update. */
  void await(long sequence, OrderEntry entry) {
    open.put(entry, sequence);
    entry.await(this);
  }

  /** Notes an update whose outcome is known to its actors alone. */
  void settled(long sequence) {
    settled.add(sequence);
    known.accept(this);
  }

  @Override
  public void happened(OrderEntry entry) {
    Long sequence = open.remove(entry);
    if (sequence != null) {
      applied.add(new AppliedUpdate(sequence, entry.answer()));
      known.accept(this);
    }
  }

  @Override
  public void gone(UniserveException why) {
    if (!over) {
      forget();
      call.fail(why);
    }
  }

  /** Answers what is known. Actors have it, so this controller may answer though deposed. */
  void answer() {
    if (!over) {
      forget();
      DeferredReply.tell(call, new Applied(List.copyOf(applied), List.copyOf(settled)));
    }
  }

  /** Forgets the question, which nobody asks any more. */
  void cancel() {
    if (!over) {
      forget();
      DeferredReply.cancelled(call);
    }
  }

  boolean over() {
    return over;
  }

  private void forget() {
    over = true;
    open.keySet().forEach(entry -> entry.forget(this));
    open.clear();
  }
}
