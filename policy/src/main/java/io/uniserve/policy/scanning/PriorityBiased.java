package io.uniserve.policy.scanning;

import io.uniserve.api.error.UniserveException;
import java.util.List;
import java.util.Optional;

/**
 * Priority-biased round robin (PBRR, PNUTS §4.3). It makes the sum over all scans of (C + the sum
 * of the squares of its idle times) / P^alpha small: many short pauses are better than a long one,
 * and pauses of urgent scans count for more.
 *
 * <p><b>Algorithm 2.</b> The next slot goes to the scan with the greatest (C + i²) / P^alpha, where
 * i is its present idle time in seconds. It is compared by its logarithm, so that no alpha
 * overflows.
 *
 * <p><b>Example.</b> Alpha 2, C 1: a scan with P = 4 goes before one with P = 1 that is not idle
 * once it has been idle for more than √15 s, since (1 + 15) / 16 = 1. With alpha 10 that takes
 * 1,024 s, and with alpha 20 more than twelve days. {@link IdleBound} sets a limit to it.
 *
 * @param alpha the weight of priority against idle times: 0 is round robin, above 0 prefers low P,
 *     below 0 high P
 * @param constant C, above 0: what a scan without any pause counts for
 */
public record PriorityBiased(double alpha, double constant) implements GrantPolicy {
  /** Checks the parameters. */
  public PriorityBiased {
    if (!Double.isFinite(alpha)) {
      throw UniserveException.invalid("alpha of a scan policy must be a number, not " + alpha);
    }
    if (!(constant > 0) || Double.isInfinite(constant)) {
      throw UniserveException.invalid("C of a scan policy must be above 0, not " + constant);
    }
  }

  /** Creates the policy with C = 1, as in the paper. */
  public PriorityBiased(double alpha) {
    this(alpha, 1);
  }

  @Override
  public String name() {
    return "pbrr";
  }

  @Override
  public Optional<WaitingScan> next(List<WaitingScan> waiting, long decision) {
    WaitingScan best = null;
    double greatest = 0;
    for (WaitingScan scan : waiting) {
      double penalty = logOfPenalty(scan);
      if (best == null
          || penalty > greatest
          || penalty == greatest && RoundRobin.TIES.compare(scan, best) < 0) {
        best = scan;
        greatest = penalty;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Returns the logarithm of what the metric grows by if the scan is not granted a slot. */
  private double logOfPenalty(WaitingScan scan) {
    return Math.log(constant + scan.idleSeconds() * scan.idleSeconds())
        - alpha * Math.log(scan.priority());
  }
}
