package io.uniserve.runtime.server.scan;

import io.uniserve.policy.scanning.GrantPolicy;
import java.time.Duration;

/**
 * The settings of a server's scans.
 *
 * @param slots L_s, the number of pages that are read at a time
 * @param waitingMax the most requests for slots that wait; more are refused as overload
 * @param offerTimeout the time after which a slot that was offered and not used is taken back
 * @param policy the choice of the scan that gets a slot
 * @param holdTimeout the longest time for which a version is kept for one scan
 * @param heldMax the most versions of actors that are kept for scans
 */
public record ScanSettings(
    int slots,
    int waitingMax,
    Duration offerTimeout,
    GrantPolicy policy,
    Duration holdTimeout,
    int heldMax) {
  /** Returns the usual settings of a server with some slots. */
  public static ScanSettings of(int slots, GrantPolicy policy) {
    return new ScanSettings(
        slots, 10_000, Duration.ofSeconds(1), policy, Duration.ofMinutes(30), 1_000);
  }
}
