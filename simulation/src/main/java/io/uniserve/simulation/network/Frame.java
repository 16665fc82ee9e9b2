package io.uniserve.simulation.network;

import io.uniserve.api.error.ErrorCode;

/** The frames of one call. */
sealed interface Frame {
  /**
   * The beginning.
   *
   * @param body the request
   * @param remainingNanos the nanoseconds that the caller's deadline left when it was sent
   */
  record Request(Body body, long remainingNanos) implements Frame {}

  /** One reply. */
  record Reply(Body body) implements Frame {}

  /** The end of a call without failure. */
  record Completed() implements Frame {}

  /** The end of a call by a failure. */
  record Failed(ErrorCode code, String message) implements Frame {}

  /** The cancellation by the caller. */
  record Cancel() implements Frame {}

  /** The receipt of one reply, which makes room for another. */
  record Taken() implements Frame {}
}
