package io.uniserve.kernel.production;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.CancelTasks;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Both ends of one call inside a JVM. Callee, caller, deadline and network may each end the call;
 * the first one decides its outcome. The observer receives replies one at a time, and the end once,
 * after the last reply.
 */
final class InProcessCall implements Transport.Call, Transport.Incoming {
  /**
   * The end of a call.
   *
   * @param failure the failure; null if the call succeeded
   * @param byCallee true if the callee ended the call, and so need not be told
   */
  private record End(UniserveException failure, boolean byCallee) {}

  private static final End COMPLETED = new End(null, true);

  private final InProcessTransport caller;
  private final InProcessListener listener;
  private final Deadline deadline;
  private final Transport.ReplyObserver observer;
  private final CancelTasks cancelTasks = new CancelTasks();
  private final AtomicReference<End> end = new AtomicReference<>();

  /** The lock that is held while the observer is called. */
  private final ReentrantLock telling = new ReentrantLock();

  private volatile boolean endTold;

  InProcessCall(
      InProcessTransport caller,
      InProcessListener listener,
      Deadline deadline,
      Transport.ReplyObserver observer) {
    this.caller = caller;
    this.listener = listener;
    this.deadline = deadline;
    this.observer = observer;
  }

  InProcessTransport caller() {
    return caller;
  }

  InProcessListener listener() {
    return listener;
  }

  @Override
  public Deadline deadline() {
    return deadline;
  }

  @Override
  public boolean onCallersThread() {
    return true;
  }

  @Override
  public boolean cancelled() {
    End ended = end.get();
    return ended == null ? deadline.expired(caller.network().clock()) : !ended.byCallee;
  }

  @Override
  public void onCancel(Runnable task) {
    cancelTasks.add(task);
  }

  @Override
  public void reply(Message message) {
    if (end.get() == null && deadline.expired(caller.network().clock())) {
      expire();
    }
    telling.lock();
    try {
      if (end.get() == null) {
        tellReply(message);
      }
    } finally {
      telling.unlock();
    }
    tellEnd();
    refuseIfCancelled();
  }

  @Override
  public void complete() {
    finish(COMPLETED);
  }

  @Override
  public void fail(UniserveException failure) {
    finish(new End(failure, true));
  }

  @Override
  public void cancel() {
    if (end.get() == null) {
      lose(new UniserveException(ErrorCode.CANCELLED, "the caller cancelled the call"));
    }
  }

  /** Ends the call because its deadline has passed. */
  void expire() {
    lose(
        new UniserveException(
            ErrorCode.DEADLINE_EXCEEDED, "no end of the call before the deadline"));
  }

  /** Ends the call with a failure that the callee did not report. */
  void lose(UniserveException failure) {
    finish(new End(failure, false));
  }

  private void finish(End ended) {
    if (!end.compareAndSet(null, ended)) {
      return;
    }
    caller.network().open().remove(this);
    tellEnd();
    if (ended.byCallee) {
      cancelTasks.discard();
    } else {
      runCancelTasks();
    }
  }

  private void tellReply(Message message) {
    try {
      observer.replied(message);
    } catch (RuntimeException e) {
      lose(new UniserveException(ErrorCode.INTERNAL, "the receiver of replies failed: " + e, e));
    }
  }

  /**
   * Reports the end to the observer. If another thread is calling the observer, that thread reports
   * the end afterwards. So no thread waits here, and an observer that cancels the call is not
   * called again inside its own method.
   */
  private void tellEnd() {
    while (end.get() != null && !endTold && !telling.isHeldByCurrentThread() && telling.tryLock()) {
      try {
        if (!endTold) {
          endTold = true;
          tell(end.get());
        }
      } finally {
        telling.unlock();
      }
    }
  }

  private void tell(End ended) {
    try {
      if (ended.failure == null) {
        observer.completed();
      } else {
        observer.failed(ended.failure);
      }
    } catch (RuntimeException e) {
      caller.network().report(e);
    }
  }

  private void runCancelTasks() {
    try {
      cancelTasks.run();
    } catch (RuntimeException e) {
      caller.network().report(e);
    }
  }

  private void refuseIfCancelled() {
    End ended = end.get();
    if (ended != null && !ended.byCallee) {
      throw new UniserveException(
          ended.failure.code(), "the call is over: " + ended.failure.getMessage());
    }
  }
}
