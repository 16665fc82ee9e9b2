package io.uniserve.bench.elasticity;

import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.report.Table;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The outcome of a run.
 *
 * @param shape the load
 * @param sent all queries
 * @param servers the number of servers that served, by the second from which they did
 * @param conditions a description of what was run
 */
record ElasticityReport(
    LoadShape shape, List<Sent> sent, TreeMap<Double, Integer> servers, String conditions) {
  private static final int SLICES = 16;

  /** The latency above which a query counts as a spike. */
  static final double SPIKE_MILLIS = 1_000;

  /**
   * A part of the run.
   *
   * @param target the mean of the target rate, in queries per minute
   * @param achieved answers per minute
   * @param millis the latencies of the queries that were due in this part, in ascending order
   */
  private record Slice(
      double from, double to, double target, double achieved, int failed, double[] millis) {
    double percentile(double share) {
      int place = (int) Math.min(millis.length - 1, Math.floor(share * millis.length));
      return millis.length == 0 ? 0 : millis[place];
    }
  }

  private List<Slice> slices() {
    double length = shape.seconds() / SLICES;
    return IntStream.range(0, SLICES).mapToObj(i -> slice(i * length, (i + 1) * length)).toList();
  }

  private Slice slice(double from, double to) {
    List<Sent> begun =
        sent.stream().filter(one -> one.second() >= from && one.second() < to).toList();
    long ended =
        sent.stream()
            .filter(one -> one.failure().isEmpty())
            .filter(one -> one.endSecond() >= from && one.endSecond() < to)
            .count();
    return new Slice(
        from,
        to,
        begun.size() * 60 / (to - from),
        ended * 60 / (to - from),
        (int) begun.stream().filter(one -> !one.failure().isEmpty()).count(),
        begun.stream().mapToDouble(Sent::millis).sorted().toArray());
  }

  /** Returns the number of failed queries. */
  long failed() {
    return sent.stream().filter(one -> !one.failure().isEmpty()).count();
  }

  /** Returns the number of queries that took longer than a second. */
  long spikes() {
    return sent.stream().filter(one -> one.millis() > SPIKE_MILLIS).count();
  }

  /**
   * Returns whether the number of unanswered queries never exceeded the number sent in a second.
   */
  boolean keptUp() {
    return IntStream.range(0, (int) shape.seconds())
        .allMatch(second -> unanswered(second) <= 1 + shape.perMinute(second) / 60);
  }

  private long unanswered(double at) {
    long begun = sent.stream().filter(one -> one.second() < at).count();
    long ended =
        sent.stream()
            .filter(one -> one.failure().isEmpty())
            .filter(one -> one.endSecond() < at)
            .count();
    return begun - ended;
  }

  private int serversAt(double second) {
    var entry = servers.floorEntry(second);
    return entry == null ? servers.firstEntry().getValue() : entry.getValue();
  }

  private String serversIn(Slice slice) {
    int before = serversAt(slice.from());
    int least = before;
    int most = before;
    for (int count : servers.subMap(slice.from(), true, slice.to(), false).values()) {
      least = Math.min(least, count);
      most = Math.max(most, count);
    }
    return least == most ? Integer.toString(least) : least + "-" + most;
  }

  @Override
  public String toString() {
    Table table =
        new Table(
            "second",
            "target/min",
            "answered/min",
            "failed",
            "p50 ms",
            "p99 ms",
            "slowest ms",
            "servers");
    for (Slice slice : slices()) {
      table.add(
          String.format(Locale.ROOT, "%.0f-%.0f", slice.from(), slice.to()),
          Figures.number(slice.target()),
          Figures.number(slice.achieved()),
          Integer.toString(slice.failed()),
          Figures.number(slice.percentile(0.5)),
          Figures.number(slice.percentile(0.99)),
          Figures.number(slice.percentile(1)),
          serversIn(slice));
    }
    double slowest = sent.stream().mapToDouble(Sent::millis).max().orElse(0);
    return """
    - Machine: %s
    - %s

    %s

    %,d queries, %d failed; every answer has every actor once. %d took longer than a second; the slowest took %s ms. Answers %s \
    queries: %s more than a second's were unanswered. At most %d servers served.
    """
        .formatted(
            Machine.describe(),
            conditions,
            table,
            sent.size(),
            failed(),
            spikes(),
            Figures.number(slowest),
            keptUp() ? "kept up with" : "did not keep up with",
            keptUp() ? "never" : "at times",
            servers.values().stream().mapToInt(count -> count).max().orElse(0));
  }
}
