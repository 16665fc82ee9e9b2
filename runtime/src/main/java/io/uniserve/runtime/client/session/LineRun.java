package io.uniserve.runtime.client.session;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.OrderedOutcome;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.OrderedMessage.ShortTaken;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The progress of a session's line: it sends what is at the head, and takes the answers. Whatever
 * has no answer is sent again, under the same keys.
 */
final class LineRun {
  private final ReentrantLock lock;
  private final SessionLine line;
  private final SessionSight sight;
  private final LineCalls calls;
  private final OutcomeRecall recall;
  private final Owner owner;

  /**
   * The session. Its first five methods are called by holders of its lock, the others by others.
   */
  interface Owner {
    /** Returns whether the session has failed. */
    boolean isOver();

    /** Returns whether all that has left the line is stable. */
    boolean isStable();

    /** Lets the send window have an entry. */
    void place(SessionEntry entry, long bytes);

    /** Notes news. */
    void heard();

    /** Notes that outcomes of updates which have left the line are about to be told. */
    void tells();

    /** Notes that they were told. */
    void told();

    /** Goes on after a pause, or fails. */
    void unmoved(UniserveException why);

    /** Sends what can be sent now. */
    void goOn();
  }

  /**
   * @param lock the session's lock
   */
  LineRun(
      ReentrantLock lock,
      SessionLine line,
      SessionSight sight,
      LineCalls calls,
      OutcomeRecall recall,
      Owner owner) {
    this.lock = lock;
    this.line = line;
    this.sight = sight;
    this.calls = calls;
    this.recall = recall;
    this.owner = owner;
  }

  /**
   * Takes what can go on from the head of the line. The caller holds the lock.
   *
   * @param sending gets what is to be sent without the lock
   */
  void advance(TableState now, List<Runnable> sending) {
    Optional<SessionLine.Next> next = line.next(now, owner::isStable, sight);
    while (next.isPresent()) {
      switch (next.get()) {
        case SessionLine.Next.Place place -> owner.place(place.entry(), place.bytes());
        case SessionLine.Next.Short some ->
            sending.add(() -> calls.send(some, answer -> taken(some, answer), this::missed));
        case SessionLine.Next.ReadMark read ->
            sending.add(() -> calls.ask(now, read, mark -> marked(read, mark), this::missed));
        case SessionLine.Next.Outcome unclear ->
            sending.add(
                () -> calls.ask(now, unclear, outcome -> told(unclear, outcome), this::missed));
      }
      next = line.next(now, owner::isStable, sight);
    }
  }

  /** Takes the answer to updates that went the short way. */
  private void taken(SessionLine.Next.Short some, ShortTaken answer) {
    List<Runnable> news = new ArrayList<>();
    lock.lock();
    try {
      if (owner.isOver()) {
        return;
      }
      line.ended();
      sight.sawLater(answer.reach());
      for (int i = 0; i < answer.results().size(); i++) {
        SessionEntry entry = some.updates().get(i);
        Result result = answer.results().get(i);
        line.remove();
        news.add(
            () -> {
              entry.receipt().stable().complete(result.number());
              SessionRun.complete(
                  entry, () -> recall.outcome(some.request().actor(), entry, result));
            });
      }
      if (!news.isEmpty()) {
        owner.heard();
      }
      owner.tells();
    } finally {
      lock.unlock();
    }
    try {
      news.forEach(Runnable::run);
    } finally {
      owner.told();
    }
    answer
        .withheld()
        .ifPresent(why -> owner.unmoved(new UniserveException(why.code(), why.message())));
    owner.goOn();
  }

  /** Takes the mark of a read. */
  private void marked(SessionLine.Next.ReadMark read, Mark mark) {
    lock.lock();
    try {
      if (owner.isOver()) {
        return;
      }
      line.ended();
      line.remove();
      sight.sawLater(mark);
      owner.heard();
    } finally {
      lock.unlock();
    }
    read.taker().take(mark);
    owner.goOn();
  }

  /**
   * Takes the news of an update that went the short way to an actor that was split since. If it was
   * not applied, it gets a place in the order.
   */
  private void told(SessionLine.Next.Outcome unclear, Optional<OrderedOutcome> outcome) {
    lock.lock();
    try {
      if (owner.isOver()) {
        return;
      }
      line.ended();
      if (outcome.isPresent()) {
        line.remove();
      } else {
        line.forgetKey();
      }
      owner.heard();
      owner.tells();
    } finally {
      lock.unlock();
    }
    OrderedReceipt receipt = unclear.recalled().entry().receipt();
    try {
      outcome.ifPresent(
          known -> {
            receipt.stable().complete(0L);
            receipt.applied().complete(known);
          });
    } finally {
      owner.told();
    }
    owner.goOn();
  }

  /** Goes on after a call that was not answered. */
  private void missed(UniserveException why) {
    lock.lock();
    try {
      line.ended();
    } finally {
      lock.unlock();
    }
    owner.unmoved(why);
  }
}
