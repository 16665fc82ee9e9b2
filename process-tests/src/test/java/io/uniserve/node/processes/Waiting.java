package io.uniserve.node.processes;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.remote.RemoteCluster;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what must come in the end. */
public final class Waiting {
  /** For a machine that does much else. */
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private static final Duration INTERVAL = Duration.ofMillis(20);

  private static final Duration THINKING = Duration.ofMillis(150);

  private Waiting() {}

  /**
   * Between two requests of a client that makes them without end: with one that never pauses, all
   * processors are busy with its requests, and what the test is about comes late.
   */
  static void think() {
    LockSupport.parkNanos(THINKING.toNanos());
  }

  /** Waits until something holds. */
  static void until(String what, BooleanSupplier holds) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain for " + what);
      }
      LockSupport.parkNanos(INTERVAL.toNanos());
    }
  }

  /** Asks until there is an answer instead of an error that a retry may mend. */
  static <T> T forAnswer(String what, Supplier<T> asked) {
    return forAnswer(what, asked, PATIENCE);
  }

  private static <T> T forAnswer(String what, Supplier<T> asked, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return asked.get();
      } catch (UniserveException e) {
        if (!e.retryable() || System.nanoTime() > end) {
          throw new AssertionError("asked in vain for " + what, e);
        }
        LockSupport.parkNanos(INTERVAL.toNanos());
      }
    }
  }

  /**
   * Makes a table that nobody else makes. Where much else is done, a server's signs of life come
   * too late now and then: for a moment there may be too few for the copies.
   */
  static void forTable(RemoteCluster remote, Map<String, Object> definition) {
    forTable(definition.get("name"), () -> remote.post("/api/tables", definition));
  }

  /** The same, by whatever makes it. */
  static void forTable(Object name, Runnable make) {
    forTable(name, make, PATIENCE);
  }

  /** The same for a table that takes long. */
  static void forTable(Object name, Runnable make, Duration patience) {
    forAnswer(
        "table " + name,
        () -> {
          try {
            make.run();
          } catch (UniserveException e) {
            if (e.code() != ErrorCode.ALREADY_EXISTS) { // by a request whose answer came too late
              throw e;
            }
          }
          return true;
        },
        patience);
  }
}
