package io.uniserve.bench.tpch;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.base.ProjectRoot;
import io.uniserve.bench.corpus.DataDirectory;
import io.uniserve.bench.measure.MeasurePlan;
import io.uniserve.bench.option.MeasureOptions;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.report.JsonFile;
import io.uniserve.bench.report.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench tpch}. */
@Command(
    name = "tpch",
    mixinStandardHelpOptions = true,
    description = "SQL: the 22 queries of TPC-H, beside one DuckDB, MonetDB and Spark SQL.")
public final class TpchCommand implements Callable<Integer> {
  private static final String ALL = "all";
  private static final double QUICK_SCALE = 0.01;

  /** The longest warm-up. Queries become steady soon once the systems are warm. */
  private static final Duration WARM_UP_MAX = Duration.ofMillis(1_500);

  /**
   * The time for which each query runs on each system before the first measurement. It lets the
   * code that all queries share be compiled before the first query is measured, too.
   */
  private static final Duration WARM_UP_FIRST = Duration.ofSeconds(3);

  private static final double WINDOW_SECONDS = 0.5;

  @Mixin private RunOptions run = new RunOptions();

  @Mixin private MeasureOptions measureOptions = new MeasureOptions(WINDOW_SECONDS, WARM_UP_MAX);

  @Option(names = "--scale", description = "Scale factor. Default: ${DEFAULT-VALUE}.")
  private double scale = 1;

  @Option(
      names = "--types",
      description = "Of amounts: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private ColumnTypes types = ColumnTypes.DECIMAL;

  @Option(
      names = "--queries",
      split = ",",
      paramLabel = "N",
      description = "Which queries, such as 1,3,10. Default: all.")
  private List<String> queries = List.of(ALL);

  @Option(
      names = "--systems",
      split = ",",
      description = "Which systems: ${COMPLETION-CANDIDATES}. Default: all.")
  private List<SqlSystem> systems = List.of(SqlSystem.values());

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = {
        "Where the published answers are.",
        "Default: $UNISERVE_DATA, else ../shared/data beside the project."
      })
  private Path data;

  @Override
  public Integer call() throws IOException {
    PrintStream progress = System.err;
    double factor = run.quick() ? QUICK_SCALE : scale;
    List<Integer> chosen = chosen();
    Path directory = run.newDirectory("tpch");
    PublishedAnswers published = PublishedAnswers.at(factor, dataDirectory());
    TpchFiles files = TpchFiles.of(factor, run.parentDirectory(), progress);
    List<SqlProcess> open = new ArrayList<>();
    try {
      for (SqlSystem system : systems.stream().distinct().sorted().toList()) {
        progress.println("starting and loading " + system.title());
        open.add(system.open(directory, files, types));
      }
      requireSameRows(open);
      TpchResults results = measure(open, published, chosen, factor, progress);
      write(results, name(factor), directory);
      progress.println("results are in " + directory);
      return results.differences().isEmpty() ? 0 : 1;
    } finally {
      open.forEach(SqlProcess::close);
    }
  }

  private List<Integer> chosen() {
    if (queries.equals(List.of(ALL))) {
      return IntStream.rangeClosed(1, TpchTables.QUERIES).boxed().toList();
    }
    for (String query : queries) {
      if (!query.matches("[1-9]\\d?") || Integer.parseInt(query) > TpchTables.QUERIES) {
        throw new BenchException(
            "--queries: there is no query '%s', but 1 to %d".formatted(query, TpchTables.QUERIES));
      }
    }
    return queries.stream().map(Integer::valueOf).toList();
  }

  private DataDirectory dataDirectory() {
    return DataDirectory.of(
        Optional.ofNullable(data),
        Optional.ofNullable(System.getenv(DataDirectory.VARIABLE)),
        ProjectRoot.find());
  }

  private static void requireSameRows(List<SqlProcess> open) {
    List<Long> counts = open.stream().map(system -> system.loaded().rows()).distinct().toList();
    if (counts.size() != 1) {
      throw new BenchException("The systems hold different numbers of rows: " + counts);
    }
  }

  private TpchResults measure(
      List<SqlProcess> open,
      PublishedAnswers published,
      List<Integer> chosen,
      double factor,
      PrintStream progress) {
    MeasurePlan plan = measureOptions.plan(run.quick());
    TpchBenchmark benchmark = new TpchBenchmark(open, published, plan, progress);
    if (!run.quick()) {
      benchmark.warmUp(chosen, WARM_UP_FIRST);
    }
    List<TpchRow> rows = chosen.stream().map(benchmark::measure).toList();
    return new TpchResults(
        conditions(factor, plan, published, open),
        open.stream().map(SqlProcess::name).toList(),
        rows,
        benchmark.differences(),
        benchmark.states());
  }

  private Map<String, String> conditions(
      double factor, MeasurePlan plan, PublishedAnswers published, List<SqlProcess> open) {
    Map<String, String> conditions = new LinkedHashMap<>();
    if (run.quick()) {
      conditions.put("Smoke run", "proves no figure");
    }
    conditions.put("Machine", Machine.describe());
    conditions.put("Java", Machine.java());
    conditions.put(
        "Data",
        "TPC-H at scale factor %s, %,d rows; amounts are %s on all sides"
            .formatted(factor, open.getFirst().loaded().rows(), types.of("decimal(15,2)")));
    conditions.put(
        "Systems",
        open.stream().map(SqlProcess::name).collect(Collectors.joining(", "))
            + "; each in a process of its own with 2 threads. Uniserve: an embedded cluster, 4 actors, one copy, DuckDB in files;"
            + " DuckDB: one database in a file; MonetDB: MonetDBLite, one database in memory; Spark: local[2], tables cached in memory");
    conditions.put(
        "Queries",
        "unmodified, one at a time, warm; no system keeps answers, Uniserve keeps plans of texts that it has seen for these sizes of tables");
    conditions.put(
        "Answers",
        published.byQuery().isEmpty()
            ? "compared with those of the first system"
            : "compared with the published ones, and with those of the first system");
    conditions.put(
        "Windows",
        "%s s each, systems taking turns, %d wanted of each; one in which other processes took more than %s cores is thrown away"
            .formatted(plan.window().toMillis() / 1e3, plan.rounds(), plan.foreignCoresMax()));
    return conditions;
  }

  /**
   * Returns the name of the results, also in the documents: {@code tpch-double}, {@code
   * tpch-decimal-sf5}.
   */
  private String name(double factor) {
    String name = "tpch-" + types.name().toLowerCase(Locale.ROOT);
    return factor == 1
        ? name
        : name + "-sf" + BigDecimal.valueOf(factor).stripTrailingZeros().toPlainString();
  }

  private void write(TpchResults results, String name, Path directory) throws IOException {
    String plot = name + ".svg";
    String section = TpchReport.section(results, plot);
    run.publish(name, section);
    Files.writeString(directory.resolve("tpch.md"), section + "\n");
    JsonFile.write(directory.resolve("tpch.json"), TpchReport.json(results));
    if (run.docs()) {
      Files.writeString(run.pages().resolve(plot), TpchReport.plot(results).svg());
    }
  }
}
