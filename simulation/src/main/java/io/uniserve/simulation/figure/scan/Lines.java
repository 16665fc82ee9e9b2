package io.uniserve.simulation.figure.scan;

import io.uniserve.simulation.plot.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Trials of several contenders at several places, with their means and spreads. */
final class Lines {
  private final Map<String, Map<Double, List<Double>>> values = new LinkedHashMap<>();

  void add(String contender, double x, double value) {
    values
        .computeIfAbsent(contender, any -> new LinkedHashMap<>())
        .computeIfAbsent(x, any -> new ArrayList<>())
        .add(value);
  }

  List<String> contenders() {
    return List.copyOf(values.keySet());
  }

  double mean(String contender, double x) {
    return values.get(contender).get(x).stream()
        .mapToDouble(Double::doubleValue)
        .average()
        .orElseThrow();
  }

  /** Returns the least mean at a place among some contenders. */
  double best(List<String> contenders, double x) {
    return contenders.stream().mapToDouble(one -> mean(one, x)).min().orElseThrow();
  }

  /** Returns the least mean of a contender at any place. */
  double least(String contender) {
    return values.get(contender).keySet().stream()
        .mapToDouble(x -> mean(contender, x))
        .min()
        .orElseThrow();
  }

  /** Returns the greatest mean of a contender at any place. */
  double greatest(String contender) {
    return values.get(contender).keySet().stream()
        .mapToDouble(x -> mean(contender, x))
        .max()
        .orElseThrow();
  }

  /** Returns the means, with whiskers from the 5th to the 95th percentile of the trials. */
  List<Series> series(Series.Form form) {
    return values.entrySet().stream()
        .map(
            line ->
                new Series(
                    line.getKey(),
                    form,
                    line.getValue().keySet().stream().map(x -> point(line.getKey(), x)).toList()))
        .toList();
  }

  private Series.Point point(String contender, double x) {
    double[] sorted =
        values.get(contender).get(x).stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Series.Point(
        x, mean(contender, x), sorted[sorted.length / 20], sorted[sorted.length * 19 / 20]);
  }

  /** Returns rows: a prefix, contender, place, mean, least and greatest. */
  String csv(String prefix) {
    StringBuilder rows = new StringBuilder();
    values.forEach(
        (contender, points) ->
            points.forEach(
                (x, trials) -> {
                  double[] all = trials.stream().mapToDouble(Double::doubleValue).toArray();
                  rows.append(
                      String.format(
                          Locale.ROOT,
                          "%s%s,%s,%.2f,%.2f,%.2f%n",
                          prefix,
                          contender,
                          x,
                          mean(contender, x),
                          Arrays.stream(all).min().orElseThrow(),
                          Arrays.stream(all).max().orElseThrow()));
                }));
    return rows.toString();
  }
}
