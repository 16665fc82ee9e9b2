package io.uniserve.runtime.client;

import java.time.Duration;
import java.util.Optional;

/**
 * How one update is run.
 *
 * @param timeout after which it fails with {@link io.uniserve.api.ErrorCode#DEADLINE_EXCEEDED};
 *     parts may then have been applied
 * @param acknowledgement whose application is waited for
 * @param idempotencyKey an update sent twice with one key is applied once; empty to have one made.
 *     At most 100 characters
 */
public record UpdateOptions(
    Duration timeout, Acknowledgement acknowledgement, Optional<String> idempotencyKey) {
  /** Thirty seconds, the primary's acknowledgement, a key made for the occasion. */
  public static final UpdateOptions DEFAULT =
      new UpdateOptions(Duration.ofSeconds(30), Acknowledgement.PRIMARY, Optional.empty());

  /** The same, but waiting for all copies. */
  public static final UpdateOptions ALL_COPIES =
      new UpdateOptions(Duration.ofSeconds(30), Acknowledgement.ALL_COPIES, Optional.empty());

  /** Whose application of an eventual update is waited for. */
  public enum Acknowledgement {
    /** The primary's. */
    PRIMARY,
    /** That of every readable copy, so that any later read sees it. */
    ALL_COPIES
  }
}
