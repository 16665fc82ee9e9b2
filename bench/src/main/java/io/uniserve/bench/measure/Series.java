package io.uniserve.bench.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The windows of one system under one workload and one number of clients.
 *
 * @param accepted the windows that were quiet enough
 * @param rejected the number of windows that were not
 */
public record Series(List<Window> accepted, int rejected) {

  public Series {
    accepted = List.copyOf(accepted);
  }

  /**
   * Returns these windows together with those of a later life of the same system.
   *
   * @param rounds the largest number of rounds of this life; the numbers of the later rounds
   *     continue from it
   */
  public Series and(Series later, int rounds) {
    List<Window> windows = new ArrayList<>(accepted);
    for (Window window : later.accepted) {
      windows.add(new Window(rounds + window.round(), window.latencies(), window.cpu()));
    }
    return new Series(windows, rejected + later.rejected);
  }

  public boolean isEmpty() {
    return accepted.isEmpty();
  }

  /** Returns a percentile of the latencies of all accepted windows together, in nanoseconds. */
  public long latencyNanos(double share) {
    return Statistics.percentile(
        Latencies.sorted(accepted.stream().map(Window::latencies).toList()), share);
  }

  public Spread queriesPerSecond() {
    return spread(Window::queriesPerSecond);
  }

  public Spread serverCpuNanosPerQuery() {
    return spread(Window::serverCpuNanosPerQuery);
  }

  private Spread spread(ToDoubleFunction<Window> value) {
    return Statistics.spread(accepted.stream().map(value::applyAsDouble).toList());
  }

  /**
   * Returns the ratio of a value to the same value of another series, within each round that both
   * have.
   *
   * @return one ratio per common round, possibly none
   */
  public List<Double> ratios(Series other, ToDoubleFunction<Window> value) {
    Map<Integer, Window> byRound = new LinkedHashMap<>();
    other.accepted.forEach(window -> byRound.put(window.round(), window));
    List<Double> ratios = new ArrayList<>();
    for (Window window : accepted) {
      Window opposite = byRound.get(window.round());
      if (opposite != null && value.applyAsDouble(opposite) > 0) {
        ratios.add(value.applyAsDouble(window) / value.applyAsDouble(opposite));
      }
    }
    return ratios;
  }
}
