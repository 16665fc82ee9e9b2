package io.uniserve.runtime.server.actor;

import io.uniserve.api.Actor;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The point-in-time readers of one copy of an ordered table, by the mark at which each was opened.
 * Marks without an update between them share a reader. A reader stays for a while, since a read of
 * its mark may be on its way. One thread at a time may note what was logged; any thread may do the
 * rest.
 */
public final class MarkReaders {
  /** The time for which a mark can be read. */
  static final Duration RETENTION = Duration.ofSeconds(10);

  /** The largest number of marks; beyond it, the oldest cannot be read any more. */
  static final int COUNT_MAX = 256;

  /**
   * A reader that is kept.
   *
   * @param shown the position up to which everything must be firm before the mark is read
   * @param after the item that the copy had reached when the mark came
   */
  private record Held(Shared<Actor> reader, long sinceNanos, Position shown, Mark after) {}

  /**
   * A reader of a mark, which its user releases.
   *
   * @param reader the reader
   * @param shown the position of the last update before the mark, or after it, that can still be
   *     lost as far as the mark tells
   */
  public record AtMark(Shared<Actor> reader, Position shown) {}

  private final Clock clock;
  private final Supplier<Signal> signals;
  private final ConcurrentSkipListMap<Mark, Held> held = new ConcurrentSkipListMap<>();

  /** The size of {@link #held}, which would count its entries one by one. */
  private final AtomicInteger count = new AtomicInteger();

  /** The reader of the present state; null if there is none yet. */
  private Shared<Actor> present;

  /** The newest mark that was logged, or the place of the newest update as a mark. */
  private volatile Mark reached;

  private volatile Signal next;
  private volatile boolean closed;

  /**
   * @param signals makes signals
   * @param reached the newest item of the order that the copy has
   */
  public MarkReaders(Clock clock, Supplier<Signal> signals, Mark reached) {
    this.clock = clock;
    this.signals = signals;
    this.reached = reached;
    this.next = signals.get();
  }

  /**
   * Notes that the copy has got further, and that its state is another. Marks that came before
   * stay.
   *
   * @param place the place of the update, as a mark
   */
  public void changed(Mark place) {
    forgetPresent();
    reach(place);
  }

  /** Notes that the state of the copy is another, at the same place in the order. */
  public void changed() {
    forgetPresent();
  }

  /** Notes a mark, without a reader. */
  public void passed(Mark mark) {
    reach(mark);
  }

  /**
   * Notes a mark, at which the present state can be read from now on.
   *
   * @param shown the position of the last update that can still be lost
   * @param open opens a reader of the present state
   */
  public void mark(Mark mark, Position shown, Supplier<Shared<Actor>> open) {
    if (present == null) {
      present = open.get();
    }
    present.acquire();
    Held former = held.put(mark, new Held(present, clock.nanos(), shown, reached));
    if (former == null) {
      count.incrementAndGet();
    } else {
      former.reader().release();
    }
    reach(mark);
    free();
  }

  private void reach(Mark mark) {
    if (mark.compareTo(reached) > 0) {
      reached = mark;
    }
    Signal former = next;
    next = signals.get();
    former.set();
  }

  /**
   * Returns the reader of a mark; the caller releases it. Empty if the mark has none here. A mark
   * that was overtaken on its way is read at the next one after the same update of the order:
   * whatever comes after a mark has to wait until the copy has reached it or something later, so
   * nothing of that came in between.
   */
  public Optional<AtMark> acquire(Mark mark) {
    return Optional.ofNullable(held.ceilingEntry(mark))
        .filter(entry -> entry.getKey().equals(mark) || hasOvertaken(entry, mark))
        .map(Map.Entry::getValue)
        .filter(found -> found.reader().acquire())
        .map(found -> new AtMark(found.reader(), found.shown()));
  }

  private static boolean hasOvertaken(Map.Entry<Mark, Held> later, Mark mark) {
    return later.getKey().number() == mark.number()
        && later.getKey().term() == mark.term()
        && later.getValue().after().compareTo(mark) < 0;
  }

  /** Returns whether the copy has passed a mark: if it has no reader of it now, it never will. */
  public boolean isPast(Mark mark) {
    return closed || reached.compareTo(mark) >= 0;
  }

  /** Returns the newest mark that was logged, or the place of the newest update as a mark. */
  public Mark reached() {
    return reached;
  }

  /**
   * Waits until the copy has reached a mark, or something after it.
   *
   * @return false if it has not before the deadline
   */
  public boolean await(Mark mark, Deadline deadline) throws InterruptedException {
    while (true) {
      Signal signal = next;
      if (isPast(mark)) {
        return true;
      }
      if (!signal.await(deadline)) {
        return isPast(mark);
      }
    }
  }

  /** Frees the readers of marks that no read can ask for any more. */
  public void free() {
    Map.Entry<Mark, Held> oldest = held.firstEntry();
    while (oldest != null
        && (count.get() > COUNT_MAX
            || clock.nanos() - oldest.getValue().sinceNanos() > RETENTION.toNanos())) {
      release(oldest.getKey());
      oldest = held.firstEntry();
    }
  }

  private void release(Mark mark) {
    Held gone = held.remove(mark);
    if (gone != null) {
      count.decrementAndGet();
      gone.reader().release();
    }
  }

  private void forgetPresent() {
    Shared<Actor> former = present;
    present = null;
    if (former != null) {
      former.retire();
    }
  }

  /** Lets no new reads of any mark in. */
  public void clear() {
    forgetPresent();
    held.keySet().forEach(this::release);
  }

  /** Ends all waits, since the copy is closed. */
  public void close() {
    closed = true;
    clear();
    next.set();
  }
}
