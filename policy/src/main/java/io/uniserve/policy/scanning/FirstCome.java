package io.uniserve.policy.scanning;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The policy that grants a slot to the scan that arrived first (FIFO, PNUTS §4.2). */
public record FirstCome() implements GrantPolicy {
  private static final Comparator<WaitingScan> ORDER =
      Comparator.comparingDouble(WaitingScan::ageSeconds)
          .reversed()
          .thenComparingLong(WaitingScan::scan);

  @Override
  public String name() {
    return "fifo";
  }

  @Override
  public Optional<WaitingScan> next(List<WaitingScan> waiting, long decision) {
    return waiting.stream().min(ORDER);
  }
}
