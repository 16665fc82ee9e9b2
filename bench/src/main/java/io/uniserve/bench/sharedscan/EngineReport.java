package io.uniserve.bench.sharedscan;

import io.uniserve.bench.report.BarChart;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.report.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The figures of the engine of shared scans, beside the paper's claims and the project's aims. */
final class EngineReport {
  /** The writes and reads a second of one storage process in the paper (§7.3, §7.4). */
  private static final double PAPER_PER_SECOND = 5_500;

  private static final double PER_SECOND_AIM = 25_000;
  private static final double COPY_AIM = 1.5;
  private static final double TEN_AIM = 2;
  private static final double CYCLES_AIM = 2.5;
  private static final double MIX_PER_SECOND = 3_000;

  /** A rate that is lower than this share of another is not the same. */
  private static final double SAME = 0.8;

  private static final double MILLIS = 1e6;

  private final long records;
  private final long sizeBytes;
  private final Table aims = new Table("what", "measured", "aim, or claim", "holds");
  private final Map<String, Double> peers = new LinkedHashMap<>();
  private Map<Double, Double> ranges = Map.of();
  private long copyNanos;
  private String bareLoop = "";

  EngineReport(TicketSegment tickets) {
    this.records = tickets.segment().records();
    this.sizeBytes = tickets.segment().sizeBytes();
  }

  void copyNanos(long nanos) {
    copyNanos = nanos;
  }

  void allColumns(long nanos) {
    atMost(
        "a pass that tests every column, beside a copy of as many bytes",
        String.format(
            Locale.ROOT,
            "%.1f ms, a copy %.1f ms: %.2f times",
            nanos / MILLIS,
            copyNanos / MILLIS,
            (double) nanos / copyNanos),
        (double) nanos / copyNanos,
        COPY_AIM);
  }

  /** Notes the mean duration of a pass for a query of one and of ten unpredictable predicates. */
  void unpredictable(long one, long ten) {
    ten("a pass for a query of ten unpredictable predicates, beside one", one, ten);
  }

  /** Notes the duration of a pass for one and for ten predicates that every record passes. */
  void passedByAll(long one, long ten) {
    ten("the same, if every record passes all ten, so that ten columns are read", one, ten);
  }

  private void ten(String what, long one, long ten) {
    atMost(
        what,
        String.format(
            Locale.ROOT,
            "%.2f ms, %.2f ms: %.2f times",
            ten / MILLIS,
            one / MILLIS,
            (double) ten / one),
        (double) ten / one,
        TEN_AIM);
  }

  /** Notes the duration of a bare loop over as many records, of one and of ten predicates. */
  void bareLoop(long one, long ten) {
    bareLoop =
        String.format(
            Locale.ROOT,
            "a bare loop over as many records, which all pass: one predicate %.2f ms, ten %.2f ms: %.2f times",
            one / MILLIS,
            ten / MILLIS,
            (double) ten / one);
  }

  void writes(double perSecond) {
    rate("figure 8, one process: updates a second by rloc", perSecond);
  }

  void reads(double perSecond) {
    rate("figure 9, one process: queries a second by rloc", perSecond);
  }

  private void rate(String what, double perSecond) {
    aims.add(
        what,
        number(perSecond),
        "25,000; the paper about 5,500",
        perSecond >= PER_SECOND_AIM ? "yes" : "no");
  }

  void ranges(Map<Double, Double> perSecond) {
    ranges = Map.copyOf(perSecond);
    double narrow = perSecond.get(0.0);
    double wide = perSecond.get(1.0);
    aims.add(
        "figure 10, one process: a range of days besides, covering one day or all",
        number(narrow) + ", " + number(wide),
        "the same: ranges decide about processes, not about the work of one",
        Math.min(narrow, wide) >= SAME * Math.max(narrow, wide) ? "yes" : "no");
  }

  void mix(ScanLoad.Mix mix) {
    peers.put("shared scan, one thread, at a rate of 3,000", mix.perSecond());
    double cycles = (double) mix.p99Nanos() / mix.cycleNanos();
    atMost(
        "2,000 queries and 1,000 updates a second: p99 of a query, in cycles",
        String.format(
            Locale.ROOT,
            "%.1f ms (median %.1f ms), a cycle %.1f ms (99 %% up to %.1f ms): %.1f",
            mix.p99Nanos() / MILLIS,
            mix.medianNanos() / MILLIS,
            mix.cycleNanos() / MILLIS,
            mix.longCycleNanos() / MILLIS,
            cycles),
        cycles,
        CYCLES_AIM);
  }

  void peer(String name, double perSecond) {
    peers.put(name, perSecond);
  }

  private void atMost(String what, String measured, double value, double most) {
    aims.add(what, measured, "at most " + most, value <= most ? "yes" : "no");
  }

  private static String number(double perSecond) {
    return String.format(Locale.ROOT, "%,.0f", perSecond);
  }

  /** Returns the plot of figures 8 to 10: rates as multiples of the paper's. */
  String plot() {
    List<Double> coverages = ranges.keySet().stream().sorted().toList();
    return new BarChart(
            "Queries a second of one scan thread by coverage of a range, paper's process = 1",
            coverages.stream().map(coverage -> "c = " + coverage).toList(),
            List.of(
                new BarChart.Series(
                    "Uniserve",
                    coverages.stream().map(one -> ranges.get(one) / PAPER_PER_SECOND).toList())))
        .svg();
  }

  @Override
  public String toString() {
    Table mixed =
        new Table(
            "two queries to an update, statements of the demo", "per second", "3,000 a second");
    peers.forEach(
        (name, perSecond) ->
            mixed.add(
                name,
                number(perSecond),
                perSecond >= SAME * MIX_PER_SECOND ? "kept up" : "falls behind"));
    return """
    - Machine: %s
    - Java: %s
    - %,d tickets in %,d MB, one scan thread; the client, which makes and parses the statements, is another
    - For comparison, %s

    %s

    %s
    """
        .formatted(
            Machine.describe(), Machine.java(), records, sizeBytes >> 20, bareLoop, aims, mixed);
  }
}
