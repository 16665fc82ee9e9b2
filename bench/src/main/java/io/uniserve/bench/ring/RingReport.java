package io.uniserve.bench.ring;

import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.report.Table;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import io.uniserve.simulation.plot.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The outcome of a run, beside figures 11 to 13 of the Crescando/RB paper.
 *
 * @param changes the changes of the ring, in order
 * @param load the updates and reads meanwhile
 * @param rates the rates before them
 * @param documents the number of documents that the table began with
 * @param perSecond the number of updates of a second
 */
record RingReport(
    List<MadeChange> changes, RingLoad load, Rates rates, int documents, int perSecond) {
  private static final double AIM_WAIT_MILLIS = 250;
  private static final double AIM_RATIO = 0.8;

  /** The least latency that a logarithmic axis shows, in milliseconds. */
  private static final double LEAST_MILLIS = 0.01;

  private static final double SHOWN_A_SECOND = 5;

  /**
   * Rates while the ring did not change.
   *
   * @param basic basic reads of a second
   * @param snapshot the rate of snapshot reads, as a share of that of basic ones
   * @param updates updates of a second of one session
   */
  record Rates(Spread basic, Spread snapshot, double updates) {}

  Stream<String> failures() {
    return Stream.concat(
            Stream.of(load.stable(), load.applied()).flatMap(List::stream),
            Stream.of(ReadLevel.values()).flatMap(level -> load.reads(level).stream()))
        .filter(Sample::failed)
        .map(Sample::failure);
  }

  private long failedReads() {
    return Stream.of(ReadLevel.values())
        .flatMap(level -> load.reads(level).stream())
        .filter(Sample::failed)
        .count();
  }

  private List<Sample> during(List<Sample> samples) {
    return samples.stream()
        .filter(one -> changes.stream().anyMatch(made -> one.during(made.from(), made.to())))
        .toList();
  }

  private List<Sample> between(List<Sample> samples) {
    return samples.stream()
        .filter(one -> changes.stream().noneMatch(made -> one.during(made.from(), made.to())))
        .toList();
  }

  private static List<Sample> during(List<Sample> samples, MadeChange made) {
    return samples.stream().filter(one -> one.during(made.from(), made.to())).toList();
  }

  private static double longest(List<Sample> samples) {
    return samples.stream().mapToDouble(Sample::millis).max().orElse(0);
  }

  private static double median(List<Sample> samples) {
    double[] sorted = samples.stream().mapToDouble(Sample::millis).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }

  private static String millis(double value) {
    return Figures.number(value) + " ms";
  }

  /** Returns the number of whole seconds of the run in which nothing of these ended. */
  private long secondsWithout(List<Sample> samples) {
    double end = changes.getLast().to();
    long[] ends = new long[(int) end];
    samples.stream()
        .filter(one -> one.endSecond() < ends.length)
        .forEach(one -> ends[(int) one.endSecond()]++);
    return Stream.iterate(0, i -> i < ends.length, i -> i + 1).filter(i -> ends[i] == 0).count();
  }

  @Override
  public String toString() {
    return """
    - Machine: %s
    - Java: %s
    - An embedded cluster: a controller whose log is on disk, seven servers and the client in one process; a table of the search engine with %,d documents of 220 characters, %d actors and %d copies, on a ring of three servers
    - A session of %d updates a second, each of one new document, timed from when it was due; one reader of each level, which counts all documents over and over
    - At the end every document was found once

    %s

    %s

    %s
    """
        .formatted(
            Machine.describe(),
            Machine.java(),
            documents,
            FilmTable.ACTORS,
            FilmTable.COPIES,
            perSecond,
            rows(),
            aims(),
            plots().keySet().stream()
                .map(plot -> "![" + plot.replace(".svg", "").replace('-', ' ') + "](" + plot + ")")
                .reduce((one, other) -> one + "\n" + other)
                .orElseThrow());
  }

  private Table rows() {
    Table table =
        new Table(
            "change",
            "took",
            "longest until stable",
            "longest until applied",
            "longest basic read",
            "longest snapshot read",
            "longest sequential read");
    for (MadeChange made : changes) {
      table.add(
          row(
              made.name(),
              String.format(Locale.ROOT, "%.1f s", made.to() - made.from()),
              load.allSamples().stream().map(samples -> during(samples, made)).toList(),
              RingReport::longest));
    }
    List<List<Sample>> quiet = load.allSamples().stream().map(this::between).toList();
    table.add(row("none", "", quiet, RingReport::longest));
    table.add(row("none, median", "", quiet, RingReport::median));
    return table;
  }

  private static String[] row(
      String name, String took, List<List<Sample>> samples, ToDoubleFunction<List<Sample>> figure) {
    List<String> cells = new ArrayList<>(List.of(name, took));
    samples.forEach(some -> cells.add(millis(figure.applyAsDouble(some))));
    return cells.toArray(String[]::new);
  }

  private Table aims() {
    double stable = longest(during(load.stable()));
    double applied = longest(during(load.applied()));
    long silent =
        Stream.of(ReadLevel.values())
            .mapToLong(level -> secondsWithout(load.reads(level)))
            .max()
            .orElseThrow();
    double snapshot = longest(during(load.reads(ReadLevel.SNAPSHOT)));
    Table table = new Table("paper", "aim", "measured", "holds");
    table.add(
        "Figure 11: a brief dip of throughput at each change, up to 160 s long",
        "throughput is never zero: an update and a read of each level end in each second",
        "seconds without: %d of updates, %d of reads"
            .formatted(secondsWithout(load.applied()), silent),
        holds(secondsWithout(load.applied()) == 0 && silent == 0));
    table.add(
        "Figure 12: an update takes up to 160 s",
        "no update waits longer than 250 ms for a change",
        "%s until stable, %s until applied".formatted(millis(stable), millis(applied)),
        stable <= AIM_WAIT_MILLIS && applied > AIM_WAIT_MILLIS
            ? "until stable"
            : holds(applied <= AIM_WAIT_MILLIS));
    table.add(
        "Figure 13: snapshot reads are very rarely delayed",
        "no read fails",
        "%,d of %,d failed; the longest snapshot read took %s"
            .formatted(failedReads(), reads(), millis(snapshot)),
        holds(failedReads() == 0));
    table.add(
        "§7.4: snapshot reads nearly as fast as basic ones",
        "80 % of the rate of basic reads, of four clients",
        "%s of %s reads a second"
            .formatted(Figures.spread(rates.snapshot()), Figures.number(rates.basic().median())),
        holds(rates.snapshot().median() >= AIM_RATIO));
    table.add(
        "§7.3: 20,000 updates a second on 30 machines",
        "none; the short way has one, which `bench ordered` measures",
        "%s updates a second of one session, which all have places in the order"
            .formatted(Figures.number(rates.updates())),
        "");
    return table;
  }

  private int reads() {
    return Stream.of(ReadLevel.values()).mapToInt(level -> load.reads(level).size()).sum();
  }

  private static String holds(boolean it) {
    return it ? "yes" : "no";
  }

  /** Returns the plots, as SVG, by the names of their files. */
  Map<String, String> plots() {
    Map<String, String> plots = new LinkedHashMap<>();
    List<Series> rates = new ArrayList<>();
    rates.add(perSecond("updates applied", load.applied()));
    for (ReadLevel level : ReadLevel.values()) {
      String name = level.name().toLowerCase(Locale.ROOT) + " reads";
      rates.add(perSecond(name, load.reads(level)));
    }
    plots.put(
        "ring-figure-11.svg",
        new Chart(
                "Figure 11: throughput while the ring changes",
                Axis.linear("seconds"),
                Axis.linear("a second"),
                rates)
            .svg());
    plots.put(
        "ring-figure-12.svg",
        scatter(
            "Figure 12: duration of updates while the ring changes",
            List.of(
                points("until applied", load.applied()), points("until stable", load.stable()))));
    plots.put(
        "ring-figure-13.svg",
        scatter(
            "Figure 13: duration of snapshot reads while the ring changes",
            List.of(points("snapshot reads", load.reads(ReadLevel.SNAPSHOT)))));
    return plots;
  }

  private String scatter(String title, List<Series> series) {
    List<Series> all = new ArrayList<>(series);
    all.add(
        new Series(
            "changes: begin and end",
            Series.Form.POINTS,
            changes.stream()
                .flatMap(made -> Stream.of(made.from(), made.to()))
                .map(second -> Series.Point.of(second, LEAST_MILLIS))
                .toList()));
    return new Chart(title, Axis.linear("seconds"), Axis.logarithmic("milliseconds"), all).svg();
  }

  /** Returns the longest of each fifth of a second; all would be a large file. */
  private static Series points(String name, List<Sample> samples) {
    TreeMap<Long, Double> longest = new TreeMap<>();
    samples.forEach(
        one ->
            longest.merge(
                (long) (one.second() * SHOWN_A_SECOND),
                Math.max(LEAST_MILLIS, one.millis()),
                Math::max));
    return new Series(
        name,
        Series.Form.POINTS,
        longest.entrySet().stream()
            .map(one -> Series.Point.of(one.getKey() / SHOWN_A_SECOND, one.getValue()))
            .toList());
  }

  private Series perSecond(String name, List<Sample> samples) {
    int seconds = (int) changes.getLast().to();
    long[] ends = new long[seconds];
    samples.stream()
        .filter(one -> !one.failed() && one.endSecond() < seconds)
        .forEach(one -> ends[(int) one.endSecond()]++);
    List<Series.Point> points = new ArrayList<>();
    for (int i = 0; i < seconds; i++) {
      points.add(Series.Point.of(i, ends[i]));
    }
    return new Series(name, Series.Form.CURVE, points);
  }
}
