package io.uniserve.bench.tpch;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.measure.Contender;
import io.uniserve.bench.measure.Footprint;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.measure.MeasurePlan;
import io.uniserve.bench.measure.Rounds;
import io.uniserve.bench.report.Figures;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The benchmark itself: it checks and measures open systems. */
final class TpchBenchmark {
  private final List<SqlProcess> systems;
  private final PublishedAnswers published;
  private final MeasurePlan plan;
  private final PrintStream progress;
  private final List<String> differences = new ArrayList<>();

  /**
   * @param systems the systems; where no answer is published, the others are compared with the
   *     first
   */
  TpchBenchmark(
      List<SqlProcess> systems,
      PublishedAnswers published,
      MeasurePlan plan,
      PrintStream progress) {
    this.systems = List.copyOf(systems);
    this.published = published;
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Lets each system compile its code before the first measurement; most of that code parses and
   * plans. Queries that a system cannot answer are reported later, by the measurement.
   *
   * @param each the time for each query
   */
  void warmUp(List<Integer> queries, Duration each) {
    for (SqlProcess system : systems) {
      progress.println("warming up " + system.name());
      for (int query : queries) {
        try {
          system.run(TpchTables.query(query), each);
        } catch (BenchException e) {
          progress.printf("query %d, %s: %s%n", query, system.name(), e.getMessage());
        }
      }
    }
  }

  /** Runs a query on each system, and measures those that answer correctly. */
  TpchRow measure(int query) {
    String sql = TpchTables.query(query);
    List<SqlProcess> able = new ArrayList<>(right(query, sql));
    TpchRow row = null;
    while (row == null) {
      try {
        row = new TpchRow(query, Rounds.measure(contenders(able, sql), plan));
      } catch (QueryFailedException e) {
        differ(query, e.system, e.getMessage());
        able.remove(e.system);
      }
    }
    progress.println("query " + query + ": " + medians(row));
    return row;
  }

  private static String medians(TpchRow row) {
    return row.series().keySet().stream()
        .map(name -> name + " " + row.nanos(name).map(Figures::millis).orElse("-"))
        .collect(Collectors.joining(", "));
  }

  private static List<Contender> contenders(List<SqlProcess> systems, String sql) {
    return systems.stream()
        .map(
            system ->
                new Contender(
                    system.name(), system.loaded().processId(), time -> run(system, sql, time)))
        .toList();
  }

  private static Latencies run(SqlProcess system, String sql, Duration time) {
    try {
      return system.run(sql, time);
    } catch (BenchException e) {
      throw new QueryFailedException(system, e);
    }
  }

  /** A failure of a query on a system that has answered it before. */
  private static final class QueryFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient SqlProcess system;

    QueryFailedException(SqlProcess system, BenchException cause) {
      super(cause.getMessage(), cause);
      this.system = system;
    }
  }

  /**
   * Returns the systems whose answer equals the published one or, without one, the first system's.
   */
  private List<SqlProcess> right(int query, String sql) {
    Map<SqlProcess, List<List<String>>> answers = new LinkedHashMap<>();
    for (SqlProcess system : systems) {
      try {
        answers.put(system, system.answer(sql));
      } catch (BenchException e) {
        differ(query, system, e.getMessage());
      }
    }
    if (answers.isEmpty()) {
      throw new BenchException("Query " + query + ": nobody answers");
    }
    List<List<String>> first = answers.values().iterator().next();
    List<SqlProcess> right = new ArrayList<>();
    answers.forEach(
        (system, rows) -> {
          Optional<String> difference =
              published
                  .of(query)
                  .flatMap(lines -> RowCheck.againstPublished(lines, rows))
                  .or(() -> RowCheck.difference(first, rows));
          difference.ifPresent(what -> differ(query, system, what));
          if (difference.isEmpty()) {
            right.add(system);
          }
        });
    return right;
  }

  private void differ(int query, SqlProcess system, String what) {
    String line = "query %d, %s: %s".formatted(query, system.name(), what);
    differences.add(line);
    progress.println(line);
  }

  /** Returns a line for each answer that was wrong or missing. */
  List<String> differences() {
    return List.copyOf(differences);
  }

  Map<String, TpchResults.SystemState> states() {
    Map<String, TpchResults.SystemState> states = new LinkedHashMap<>();
    for (SqlProcess system : systems) {
      SqlProcess.Loaded loaded = system.loaded();
      states.put(
          system.name(),
          new TpchResults.SystemState(
              loaded.rows(),
              loaded.nanos(),
              Footprint.residentBytes(loaded.processId()),
              Footprint.peakResidentBytes(loaded.processId())));
    }
    return states;
  }
}
