package io.uniserve.bench.loading;

import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.measure.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The passes of one target.
 *
 * @param accepted the passes that were quiet enough
 * @param rejected the number of passes that were not
 */
public record LoadSeries(String target, List<LoadPass> accepted, int rejected) {

  public LoadSeries {
    accepted = List.copyOf(accepted);
  }

  public Optional<Spread> spread(ToDoubleFunction<LoadPass> value) {
    return of(accepted.stream().map(value::applyAsDouble).toList());
  }

  /**
   * Returns the ratio of a value to the same value of another target, over the rounds that both
   * have.
   */
  public Optional<Spread> ratio(LoadSeries other, ToDoubleFunction<LoadPass> value) {
    List<Double> ratios = new ArrayList<>();
    for (LoadPass pass : accepted) {
      for (LoadPass opposite : other.accepted) {
        if (opposite.round() == pass.round()) {
          ratios.add(value.applyAsDouble(pass) / value.applyAsDouble(opposite));
        }
      }
    }
    return of(ratios);
  }

  private static Optional<Spread> of(List<Double> values) {
    return values.isEmpty() ? Optional.empty() : Optional.of(Statistics.spread(values));
  }
}
