package io.uniserve.node.processes;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.remote.RemoteCluster;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for conditions that must eventually hold. */
public final class Waiting {
  /** The longest wait, suited to a machine that is busy with other work. */
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private static final Duration INTERVAL = Duration.ofMillis(20);

  private static final Duration THINKING = Duration.ofMillis(150);

  private Waiting() {}

  /**
   * Pauses between two requests of a client that makes them without end. Without a pause its
   * requests would keep all processors busy, and the events under test would come late.
   */
  static void think() {
    LockSupport.parkNanos(THINKING.toNanos());
  }

  /** Waits until a condition holds. */
  static void until(String what, BooleanSupplier holds) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain for " + what);
      }
      LockSupport.parkNanos(INTERVAL.toNanos());
    }
  }

  /** Asks until there is an answer instead of an error that a retry may remedy. */
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
   * Creates a table that no other test creates. On a busy machine a server's heartbeats
   * occasionally arrive too late, so there may briefly be too few servers for the copies.
   */
  static void forTable(RemoteCluster remote, Map<String, Object> definition) {
    forTable(definition.get("name"), () -> remote.post("/api/tables", definition));
  }

  /** Creates a table by the given action. */
  static void forTable(Object name, Runnable make) {
    forTable(name, make, PATIENCE);
  }

  /** Creates a table that takes long, by the given action. */
  static void forTable(Object name, Runnable make, Duration patience) {
    forAnswer(
        "table " + name,
        () -> {
          try {
            make.run();
          } catch (UniserveException e) {
            if (e.code()
                != ErrorCode
                    .ALREADY_EXISTS) { // an earlier request, whose answer came too late, has
              // created the table
              throw e;
            }
          }
          return true;
        },
        patience);
  }
}
