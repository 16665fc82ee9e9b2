package io.uniserve.runtime.wire.ring;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Invariant;
import java.util.ArrayList;
import java.util.List;

/**
 * The ring of a table: its configuration, and the changes that are yet to be made. The first of
 * them is under way.
 *
 * @param ring the configuration that copies are placed by
 * @param submitted the number of changes that were ever submitted, which is the number of the last
 * @param queue the changes that have not ended, in order
 * @param ended the last changes that have ended, the newest last; at most {@value #ENDED_MAX}
 */
public record RingState(Ring ring, long submitted, List<Queued> queue, List<Ended> ended) {
  /** The number of changes that may wait. */
  public static final int QUEUE_MAX = 100;

  /** The number of changes whose outcome is remembered. */
  public static final int ENDED_MAX = 100;

  /** Copies the lists. */
  public RingState {
    queue = List.copyOf(queue);
    ended = List.copyOf(ended);
  }

  /**
   * A change that has not ended.
   *
   * @param number its number, from 1
   * @param change the change
   * @param placed true if the configuration has it, so that copies are being moved
   */
  public record Queued(long number, RingChange change, boolean placed) {}

  /**
   * A change that has ended.
   *
   * @param number its number
   * @param change the change
   * @param done true if it was made
   * @param why the reason why it was not made; empty if it was
   */
  public record Ended(long number, RingChange change, boolean done, String why) {}

  /** Returns a ring as a table begins with it. */
  public static RingState of(Ring ring) {
    return new RingState(ring, 0, List.of(), List.of());
  }

  /**
   * Returns the configuration that the last queued change leaves.
   *
   * @param copies the number of copies of each range
   */
  public Ring last(int copies) {
    Ring last = ring;
    for (Queued queued : queue) {
      last = queued.placed() ? last : orSame(last, queued.change(), copies);
    }
    return last;
  }

  /**
   * Returns a configuration after a change; the same one if it does not allow the change any more,
   * since one before it was not made. Such a change ends when its turn comes.
   */
  private static Ring orSame(Ring before, RingChange change, int copies) {
    try {
      return before.after(change, copies);
    } catch (UniserveException e) {
      return before;
    }
  }

  /** Returns the same ring with one more change that is to be made. */
  public RingState with(RingChange change) {
    List<Queued> more = new ArrayList<>(queue);
    more.add(new Queued(submitted + 1, change, false));
    return new RingState(ring, submitted + 1, more, ended);
  }

  /** Returns this ring, whose first change has this number. */
  public RingState first(long number) {
    Invariant.RING_CHANGES_IN_ORDER.require(
        !queue.isEmpty() && queue.getFirst().number() == number,
        () -> "change " + number + " is not the first of " + queue);
    return this;
  }

  /** Returns the same ring in the configuration of the first change. */
  public RingState placed(int copies) {
    Queued first = queue.getFirst();
    Invariant.RING_CHANGES_IN_ORDER.require(
        !first.placed(), () -> first + " is placed a second time");
    List<Queued> next = new ArrayList<>(queue);
    next.set(0, new Queued(first.number(), first.change(), true));
    return new RingState(ring.after(first.change(), copies), submitted, next, ended);
  }

  /**
   * Returns the same ring after the end of the first change.
   *
   * @param done true if it was made
   * @param why the reason if it was not
   */
  public RingState ended(boolean done, String why) {
    Queued first = queue.getFirst();
    Invariant.RING_CHANGES_IN_ORDER.require(
        done == first.placed(), () -> first + " ends, done: " + done);
    List<Ended> known = new ArrayList<>(ended);
    known.add(new Ended(first.number(), first.change(), done, why));
    return new RingState(
        ring,
        submitted,
        queue.subList(1, queue.size()),
        known.subList(Math.max(0, known.size() - ENDED_MAX), known.size()));
  }
}
