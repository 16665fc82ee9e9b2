package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Invariant;
import io.uniserve.simulation.model.ModelFailures;
import java.time.Duration;

/** How faults follow each other in a run, and what clients put up with. */
public enum Pace {
  /** Whatever the state of things: requests may fail if another try may help. */
  AT_ONCE(Duration.ofSeconds(4), Duration.ofSeconds(2)),

  /** The next when all is made good: nothing that a client asks fails. */
  ONE_BY_ONE(Duration.ofSeconds(10), Duration.ofSeconds(10)),

  /**
   * Two servers after two others do not reach each other for longer than anybody waits: nothing
   * that a client asks fails, but for plans that have something to bring from one to the other.
   */
  APART(Duration.ofSeconds(5), Duration.ofSeconds(5));

  private final Duration updateTimeout;
  private final Duration queryTimeout;

  Pace(Duration updateTimeout, Duration queryTimeout) {
    this.updateTimeout = updateTimeout;
    this.queryTimeout = queryTimeout;
  }

  /** How long an update may take. */
  Duration updateTimeout() {
    return updateTimeout;
  }

  /** How long a query may take. */
  Duration queryTimeout() {
    return queryTimeout;
  }

  /** A plan has failed that may have things to bring from server to server. */
  void exchangeFailed(UniserveException failure) {
    (this == APART ? AT_ONCE : this).failed("a plan", failure);
  }

  /** A request has failed. */
  void failed(String what, UniserveException failure) {
    if (!failure.retryable() && !failure.outcomeUnknown() && !ModelFailures.caused(failure)) {
      throw new IllegalStateException(what + " failed for good", failure);
    }
    Invariant.AVAILABLE.require(
        this == AT_ONCE, () -> what + " failed (" + failure.code() + "): " + failure.getMessage());
  }
}
