package io.uniserve.runtime.still;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A call of a caller that waits for ever, and remembers the answers. */
public class StillCaller implements Incoming {
  private final Clock clock;
  private final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
  private volatile boolean cancelled;
  private final List<Runnable> whenCancelled = new CopyOnWriteArrayList<>();

  /** Creates a call whose deadline is read off this clock. */
  public StillCaller(Clock clock) {
    this.clock = clock;
  }

  /**
   * Returns what the caller hears next: a {@link Message}, or the {@link
   * io.uniserve.api.error.ErrorCode} of a failure; null if it hears nothing for long.
   */
  public final Object next() throws InterruptedException {
    return heard.poll(20, TimeUnit.SECONDS);
  }

  /** Returns whether all answers so far were taken. */
  public final boolean hearsNothing() {
    return heard.isEmpty();
  }

  /** Cancels the call. */
  public final void cancel() {
    cancelled = true;
    whenCancelled.forEach(Runnable::run);
  }

  @Override
  public final Deadline deadline() {
    return Deadline.after(clock, Deadline.LONGEST);
  }

  @Override
  public final boolean cancelled() {
    return cancelled;
  }

  @Override
  public final void onCancel(Runnable task) {
    whenCancelled.add(task);
  }

  @Override
  public final void reply(Message message) {
    heard.add(message);
  }

  @Override
  public final void complete() {}

  @Override
  public final void fail(UniserveException failure) {
    heard.add(failure.code());
  }
}
