package io.uniserve.policy.scanning;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The policy that grants a slot to the scan that has been idle for the longest time (PNUTS §5.4).
 * Among scans that are not idle, the one whose last grant is oldest; then the oldest scan.
 */
public record RoundRobin() implements GrantPolicy {
  /** Orders scans of equal urgency. */
  static final Comparator<WaitingScan> TIES =
      Comparator.comparingDouble(WaitingScan::ungrantedSeconds)
          .thenComparingDouble(WaitingScan::ageSeconds)
          .reversed()
          .thenComparingLong(WaitingScan::scan);

  /** Orders scans by their idle time, the longest first. */
  static final Comparator<WaitingScan> LONGEST_IDLE =
      Comparator.comparingDouble(WaitingScan::idleSeconds).reversed().thenComparing(TIES);

  @Override
  public String name() {
    return "round-robin";
  }

  @Override
  public Optional<WaitingScan> next(List<WaitingScan> waiting, long decision) {
    return waiting.stream().min(LONGEST_IDLE);
  }
}
