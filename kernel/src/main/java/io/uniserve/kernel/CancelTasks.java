package io.uniserve.kernel;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The tasks that run when a call is cancelled (see {@link Transport.Incoming#onCancel}), for
 * implementations of a transport. A call ends once: with {@link #run} or with {@link #discard}.
 */
public final class CancelTasks {
  private record Task(Runnable body, Task earlier) {}

  private static final Task NONE = new Task(() -> {}, null);
  private static final Task RUN = new Task(() -> {}, null);
  private static final Task DISCARDED = new Task(() -> {}, null);

  private final AtomicReference<Task> latest = new AtomicReference<>(NONE);

  /** Adds a task; runs it at once after {@link #run}, never after {@link #discard}. */
  public void add(Runnable body) {
    Task seen = latest.get();
    while (seen != RUN && seen != DISCARDED) {
      if (latest.compareAndSet(seen, new Task(body, seen))) {
        return;
      }
      seen = latest.get();
    }
    if (seen == RUN) {
      body.run();
    }
  }

  /**
   * Runs all tasks of a cancelled call, in the order in which they were added. The others run even
   * if one throws. The first failure is thrown at the end.
   */
  public void run() {
    Deque<Runnable> inOrder = new ArrayDeque<>();
    for (Task task = end(RUN); task != null && task.earlier != null; task = task.earlier) {
      inOrder.push(task.body);
    }
    RuntimeException first = null;
    for (Runnable body : inOrder) {
      try {
        body.run();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** Drops all tasks of a call that ended well. */
  public void discard() {
    end(DISCARDED);
  }

  /** Ends the call and returns the tasks that were added; none if the call had ended before. */
  private Task end(Task state) {
    Task seen = latest.get();
    while (seen != RUN && seen != DISCARDED) {
      if (latest.compareAndSet(seen, state)) {
        return seen;
      }
      seen = latest.get();
    }
    return null;
  }
}
