package io.uniserve.runtime.server.engine;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Signal;
import java.util.concurrent.Callable;

/**
 * The threads that run engine code while a light thread waits for it. Native and computing code
 * runs on light threads only if it takes microseconds.
 */
public final class EngineThreads implements AutoCloseable {
  /** The longest usual duration of code that runs on the light thread which waits for it. */
  private static final long BRIEF_NANOS = 60_000;

  private final Environment environment;
  private final BusyWorkers workers;

  public EngineThreads(Environment environment, String name, int count) {
    this.environment = environment;
    this.workers = new BusyWorkers(environment.threads().workers(name, count), environment.clock());
  }

  /** Returns the clock. */
  public Clock clock() {
    return environment.clock();
  }

  /** Returns for how long all threads together have worked, in nanoseconds. */
  public long busyNanos() {
    return workers.busyNanos();
  }

  /** Creates a signal to wait on. */
  public Signal signal() {
    return environment.threads().signal();
  }

  /**
   * Runs engine code and waits for it.
   *
   * @throws EngineFailedException if it throws anything but a {@link UniserveException}, which is
   *     passed on; an {@link Error} reaches the thread's handler, too
   */
  public <T> T call(String what, Callable<T> body) {
    Promise<T> promise = new Promise<>(environment.threads());
    workers.submit(() -> run(what, body, promise));
    return promise.await(Deadline.after(environment.clock(), Deadline.LONGEST), what);
  }

  /**
   * Runs engine code that waits rather than computes on the calling thread, which is a light one.
   *
   * @throws EngineFailedException as {@link #call(String, Callable)} does
   */
  public <T> T callHere(String what, Callable<T> body) {
    Promise<T> promise = new Promise<>(environment.threads());
    run(what, body, promise);
    return promise.await(Deadline.after(environment.clock(), Deadline.LONGEST), what);
  }

  /**
   * Runs engine code of a kind that may be brief, and waits for it. While such code has been brief,
   * it runs on the calling thread: to wake two threads takes as long.
   *
   * @param usual the duration of such code, which is noted
   * @throws EngineFailedException as {@link #call(String, Callable)} does
   */
  public <T> T call(String what, Callable<T> body, UsualTime usual) {
    Callable<T> timed =
        () -> {
          long beganNanos = environment.clock().nanos();
          try {
            return body.call();
          } finally {
            usual.took(environment.clock().nanos() - beganNanos);
          }
        };
    if (usual.nanos() <= BRIEF_NANOS) {
      Promise<T> promise = new Promise<>(environment.threads());
      if (workers.tryHere(() -> run(what, timed, promise))) {
        return promise.await(Deadline.after(environment.clock(), Deadline.LONGEST), what);
      }
    }
    return call(what, timed);
  }

  private static <T> void run(String what, Callable<T> body, Promise<T> promise) {
    try {
      promise.complete(body.call());
    } catch (UniserveException e) {
      promise.fail(e);
    } catch (Exception | LinkageError | StackOverflowError e) {
      promise.fail(new EngineFailedException(what, e));
    } catch (Error e) {
      promise.fail(new EngineFailedException(what, e));
      throw e;
    }
  }

  @Override
  public void close() {
    workers.close();
  }
}
