package io.uniserve.runtime.client;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.wire.Payload;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** One actor's part in a query. Guarded by the run that it belongs to. */
final class ActorShare {
  private final int actor;
  private final Set<String> avoided = new TreeSet<>();
  private List<Payload> values = new ArrayList<>(1);
  private ServerCall owner;
  private UniserveException lastFailure;
  private int failures;
  private int finalFailures;
  private long stuckSinceNanos;
  private boolean stuck;
  private boolean combined;

  ActorShare(int actor) {
    this.actor = actor;
  }

  int actor() {
    return actor;
  }

  /** Servers whose copies have failed since the last pause. */
  Set<String> avoided() {
    return avoided;
  }

  void avoidNothing() {
    avoided.clear();
  }

  boolean ownedBy(ServerCall call) {
    return owner == call;
  }

  /** The attempt that counts from now on. */
  void own(ServerCall call) {
    owner = call;
    stuck = false;
  }

  void disown() {
    owner = null;
  }

  void add(List<Payload> more) {
    values.addAll(more);
  }

  List<Payload> takeValues() {
    List<Payload> taken = values;
    values = new ArrayList<>(1);
    return taken;
  }

  /** True the first time. */
  boolean combineOnce() {
    boolean first = !combined;
    combined = true;
    return first;
  }

  void failedOn(String server, UniserveException failure) {
    avoided.add(server);
    lastFailure = failure;
    failures++;
    boolean gone = failure.code() == ErrorCode.VERSION_GONE;
    finalFailures += gone || !failure.retryable() ? 1 : 0;
  }

  int failures() {
    return failures;
  }

  /** Failures after which another try at the same server is of no use. */
  int finalFailures() {
    return finalFailures;
  }

  /**
   * Called while no copy can be asked.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} once that has gone on for too long
   */
  void requirePatience(Clock clock, Duration patience, TableState table) {
    if (!stuck) {
      stuck = true;
      stuckSinceNanos = clock.nanos();
    }
    if (clock.nanos() - stuckSinceNanos > patience.toNanos()) {
      String before = lastFailure == null ? "" : "; before: " + lastFailure.getMessage();
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "actor "
              + actor
              + " of table '"
              + table.definition().name()
              + "' has no copy that can answer"
              + before);
    }
  }
}
