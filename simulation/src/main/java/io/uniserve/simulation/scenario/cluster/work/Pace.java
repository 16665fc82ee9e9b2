package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Invariant;
import io.uniserve.simulation.model.ModelFailures;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The sequence of faults in a run, and the failures that clients must bear. */
public enum Pace {
  /** Faults come in any state: requests may fail if another try may help. */
  AT_ONCE(Duration.ofSeconds(4), Duration.ofSeconds(2)),

  /** The next fault comes when all is mended: no request of a client fails. */
  ONE_BY_ONE(Duration.ofSeconds(10), Duration.ofSeconds(10)),

  /**
   * Pairs of servers do not reach each other for longer than anybody waits. No request of a client
   * fails, except for plans that carry data from one to the other.
   */
  APART(Duration.ofSeconds(5), Duration.ofSeconds(5));

  private static final int PIECE_LENGTH_MAX = 40;
  private static final int SOUND_LENGTH_MIN = 10;

  private final Duration updateTimeout;
  private final Duration queryTimeout;

  Pace(Duration updateTimeout, Duration queryTimeout) {
    this.updateTimeout = updateTimeout;
    this.queryTimeout = queryTimeout;
  }

  /** Returns the timeout of an update. */
  Duration updateTimeout() {
    return updateTimeout;
  }

  /**
   * Returns the timeout of an update whose caller may be in a hurry: often too short for an actor
   * that has no primary, so that the update fails before anything was sent.
   */
  Duration hastyTimeout(RandomGenerator random) {
    return this == AT_ONCE
        ? Duration.ofMillis(random.nextLong(1, updateTimeout.toMillis()))
        : updateTimeout;
  }

  /** Returns the timeout of a query. */
  Duration queryTimeout() {
    return queryTimeout;
  }

  /**
   * Returns the number of operations in one piece of an answer. Where nothing may fail, pieces are
   * not too small: a caller takes few at a time, so many readers at once would be late without any
   * fault.
   */
  int pieceLength(RandomGenerator random) {
    int length = random.nextInt(1, PIECE_LENGTH_MAX);
    return this == AT_ONCE ? length : Math.max(length, SOUND_LENGTH_MIN);
  }

  /** Handles the failure of a plan that may carry data from server to server. */
  void exchangeFailed(UniserveException failure) {
    (this == APART ? AT_ONCE : this).failed("a plan", failure);
  }

  /** Returns whether a query was refused because its token is of a table that was replaced. */
  private static boolean isOfFormerToken(UniserveException failure) {
    return failure.code() == ErrorCode.INVALID_ARGUMENT
        && String.valueOf(failure.getMessage()).contains("before it was recovered at");
  }

  /** Handles the failure of a request. */
  void failed(String what, UniserveException failure) {
    if (!failure.retryable()
        && !failure.outcomeUnknown()
        && !ModelFailures.caused(failure)
        && !isOfFormerToken(failure)) {
      throw new IllegalStateException(what + " failed for good", failure);
    }
    Invariant.AVAILABLE.require(
        this == AT_ONCE, () -> what + " failed (" + failure.code() + "): " + failure.getMessage());
  }
}
