package io.uniserve.policy.scanning;

import io.uniserve.api.error.UniserveException;
import java.util.List;
import java.util.Optional;

/**
 * A bound on idle times above another policy. A scan that has been idle for longer goes before all
 * others, the longest idle first. So at a server where n scans wait, none waits longer than the
 * bound and n grants.
 *
 * <p>The paper's metric alone starves nobody only in the long run: at alpha = 10 a scan may wait
 * for a quarter of an hour, at 20 for days.
 *
 * @param policy decides while nobody has been idle for too long
 * @param idleSecondsMax the bound, above 0
 */
public record IdleBound(GrantPolicy policy, double idleSecondsMax) implements GrantPolicy {
  /** Checks the bound. */
  public IdleBound {
    if (!(idleSecondsMax > 0)) {
      throw UniserveException.invalid(
          "the bound on idle times must be above 0 s, not " + idleSecondsMax);
    }
  }

  @Override
  public String name() {
    return policy.name();
  }

  @Override
  public Optional<WaitingScan> next(List<WaitingScan> waiting, long decision) {
    return waiting.stream()
        .filter(scan -> scan.idleSeconds() > idleSecondsMax)
        .min(RoundRobin.LONGEST_IDLE)
        .or(() -> policy.next(waiting, decision));
  }
}
