package io.uniserve.simulation.network;

import io.uniserve.api.error.ErrorCode;

/** What travels for one call. */
sealed interface Frame {
  /**
   * The beginning.
   *
   * @param body the request
   * @param remainingNanos of the caller's deadline when it was sent
   */
  record Request(Body body, long remainingNanos) implements Frame {}

  /** One reply. */
  record Reply(Body body) implements Frame {}

  /** The end, when all went well. */
  record Completed() implements Frame {}

  /** The end, when something went wrong. */
  record Failed(ErrorCode code, String message) implements Frame {}

  /** The caller does not wait any more. */
  record Cancel() implements Frame {}

  /** The caller has taken one reply, so that there is room for another. */
  record Taken() implements Frame {}
}
