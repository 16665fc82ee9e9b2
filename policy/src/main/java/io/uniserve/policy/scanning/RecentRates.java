package io.uniserve.policy.scanning;

import java.util.List;
import java.util.stream.Stream;

/** The latest rates measured, the last at the end. */
record RecentRates(List<Measured> rates) {
  static final RecentRates NONE = new RecentRates(List.of());
  private static final int MOST = 6;

  /** A rate and when it was measured. */
  record Measured(double seconds, double rate) {}

  /** Returns these and another, without those before a moment. */
  RecentRates with(Measured measured, double from) {
    List<Measured> kept =
        Stream.concat(rates.stream().filter(one -> one.seconds() >= from), Stream.of(measured))
            .toList();
    return new RecentRates(kept.subList(Math.max(0, kept.size() - MOST), kept.size()));
  }

  double best() {
    return rates.stream().mapToDouble(Measured::rate).max().orElse(0);
  }

  /** Returns the last rate measured; 0 for none. */
  double last() {
    return rates.isEmpty() ? 0 : rates.getLast().rate();
  }
}
