package io.uniserve.bench.olap;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.measure.Contender;
import io.uniserve.bench.measure.Footprint;
import io.uniserve.bench.measure.MeasurePlan;
import io.uniserve.bench.measure.Rounds;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.measure.Statistics;
import io.uniserve.bench.measure.Window;
import io.uniserve.bench.report.BarChart;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.Table;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Figure 5: both queries on all systems, side by side. */
final class QueriesPart {
  private static final List<Integer> CLIENTS = List.of(1, 4);
  private static final String NONE = "-";
  private static final Duration WARM_UP = Duration.ofSeconds(10);

  private final OlapSides sides;
  private final MeasurePlan plan;
  private final PrintStream progress;
  private final List<Measured> measured = new ArrayList<>();

  /** One query with some clients, as each system ran it. */
  private record Measured(OlapQuery query, int clients, Map<String, Series> series) {}

  QueriesPart(OlapSides sides, MeasurePlan plan, PrintStream progress) {
    this.sides = sides;
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Checks the answers of all systems, and measures.
   *
   * @throws BenchException if a system answers otherwise than DuckDB
   */
  void run() {
    for (OlapQuery query : OlapQuery.values()) {
      List<List<String>> expected = sides.answer(OlapSides.DUCKDB, query);
      for (String name : sides.names()) {
        SameAnswers.difference(expected, sides.answer(name, query))
            .ifPresent(
                what -> {
                  throw new BenchException(
                      name + " answers " + query.title() + " wrongly: " + what);
                });
      }
      if (plan.rounds() > 1) {
        sides.apis().values().forEach(api -> api.run(texts(query), 2, WARM_UP));
      }
      for (int clients : CLIENTS) {
        Map<String, Series> series = Rounds.measure(contenders(query, clients), plan);
        measured.add(new Measured(query, clients, series));
        progress.println(query.title() + " with " + clients + " clients: " + summary(series));
      }
    }
  }

  private static List<String> texts(OlapQuery query) {
    return List.of(query.json(OlapQuery.ALWAYS));
  }

  private static String summary(Map<String, Series> series) {
    Map<String, String> text = new LinkedHashMap<>();
    series.forEach(
        (name, one) ->
            text.put(name, one.isEmpty() ? NONE : Figures.spread(one.queriesPerSecond()) + "/s"));
    return text.toString();
  }

  /** Returns all systems; those that are asked within their processes have one client only. */
  private List<Contender> contenders(OlapQuery query, int clients) {
    List<Contender> contenders = new ArrayList<>();
    sides
        .apis()
        .forEach(
            (name, api) ->
                contenders.add(
                    new Contender(
                        name,
                        sides.processIds(name),
                        time -> api.run(texts(query), clients, time))));
    if (clients == 1) {
      for (String name : List.of(OlapSides.BARE, OlapSides.DUCKDB)) {
        contenders.add(
            new Contender(
                name,
                sides.processIds(name),
                time -> sides.alone(name).run(OlapSides.text(name, query), time)));
      }
    }
    return contenders;
  }

  /** Returns the tables of the report. */
  String report(String plot) {
    Table table =
        new Table(
            "query",
            "clients",
            "system",
            "queries/s",
            "p50",
            "p99",
            "CPU of a query",
            "Uniserve's queries/s : its",
            "Uniserve's CPU : its",
            "windows");
    for (Measured one : measured) {
      one.series()
          .forEach(
              (name, series) -> {
                if (!series.isEmpty()) {
                  table.add(
                      one.query().title(),
                      Integer.toString(one.clients()),
                      name,
                      Figures.spread(series.queriesPerSecond()),
                      Figures.millis(series.latencyNanos(0.5)),
                      Figures.millis(series.latencyNanos(0.99)),
                      Figures.millis(series.serverCpuNanosPerQuery().median()),
                      ratio(one, name, Ratio.THROUGHPUT),
                      ratio(one, name, Ratio.CPU),
                      series.accepted().size()
                          + " of "
                          + (series.accepted().size() + series.rejected()));
                }
              });
    }
    Table states = new Table("system", "rows/s loaded", "resident");
    for (String name : sides.names()) {
      Long nanos = sides.loadNanos().get(name);
      states.add(
          name,
          nanos == null ? NONE : Figures.number(sides.rows().rows() * 1e9 / nanos),
          Figures.megabytes(
              sides.processIds(name).stream().mapToLong(Footprint::residentBytes).sum()));
    }
    return String.join(
        "\n\n",
        "![Throughput relative to Druid](" + plot + ")",
        table.toString(),
        states.toString());
  }

  private enum Ratio {
    THROUGHPUT,
    CPU
  }

  private static String ratio(Measured one, String name, Ratio kind) {
    if (name.equals(OlapSides.UNISERVE)) {
      return NONE;
    }
    List<Double> ratios =
        one.series()
            .get(OlapSides.UNISERVE)
            .ratios(
                one.series().get(name),
                kind == Ratio.CPU ? Window::serverCpuNanosPerQuery : Window::queriesPerSecond);
    return ratios.isEmpty() ? NONE : Figures.spread(Statistics.spread(ratios));
  }

  /** Returns the plot: throughput relative to Druid. */
  BarChart plot() {
    List<String> categories = new ArrayList<>();
    Map<String, List<Double>> values = new LinkedHashMap<>();
    List.of(OlapSides.UNISERVE, OlapSides.BARE, OlapSides.DUCKDB)
        .forEach(name -> values.put(name, new ArrayList<>()));
    for (Measured one : measured) {
      categories.add(one.query().title() + ", " + one.clients());
      values.forEach((name, list) -> list.add(relative(one, name).orElse(0.0)));
    }
    return new BarChart(
        "Queries/s relative to Druid, by query and clients",
        categories,
        values.entrySet().stream()
            .map(entry -> new BarChart.Series(entry.getKey(), entry.getValue()))
            .toList());
  }

  private static Optional<Double> relative(Measured one, String name) {
    Series its = one.series().get(name);
    Series druid = one.series().get(OlapSides.DRUID);
    if (its == null || its.isEmpty() || druid.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(its.queriesPerSecond().median() / druid.queriesPerSecond().median());
  }
}
