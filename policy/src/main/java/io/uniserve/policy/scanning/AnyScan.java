package io.uniserve.policy.scanning;

import io.uniserve.policy.placement.search.SeededRandom;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The policy that grants a slot to any scan, each as likely as another (Random, PNUTS §5.4). The
 * same seed and decision choose the same scan, whatever the order of the list.
 *
 * @param seed the seed of all chance
 */
public record AnyScan(long seed) implements GrantPolicy {
  @Override
  public String name() {
    return "random";
  }

  @Override
  public Optional<WaitingScan> next(List<WaitingScan> waiting, long decision) {
    long drawn = SeededRandom.rank(seed, decision);
    return waiting.stream()
        .min(
            Comparator.comparingLong((WaitingScan one) -> SeededRandom.rank(drawn, one.scan()))
                .thenComparingLong(WaitingScan::scan));
  }
}
