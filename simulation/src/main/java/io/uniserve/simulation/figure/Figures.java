package io.uniserve.simulation.figure;

import io.uniserve.simulation.figure.result.Figure;
import io.uniserve.simulation.figure.result.FigureResult;
import io.uniserve.simulation.figure.result.FigureSettings;
import io.uniserve.simulation.figure.scan.ScanFigures;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The command that makes figures: {@code figure-N.csv}, {@code .svg} and {@code .md} with the
 * claims. Exit status 0 if all were made, 2 if the arguments cannot be understood.
 */
public final class Figures {
  private static final List<Figure> PLACEMENT =
      List.of(
          new Figure("2", "queue sizes (paper: its simulator)", Queues::distribution),
          new Figure("3", "2-clusters and queues (paper: its simulator)", Queues::clusters),
          new Figure("5b", "throughput and p99 (paper: its simulator)", Latencies::throughput),
          new Figure("6", "load and p99 (paper: Solr; here: simulated)", Lines::throughput),
          new Figure("7", "latencies (paper: Solr; here: simulated)", Latencies::distribution),
          new Figure("8", "skew and p99 (paper: Solr; here: simulated)", Lines::skew),
          new Figure(
              "9", "shards per server (paper: Solr; here: simulated)", Latencies::shardsPerServer),
          new Figure("11", "shards per query (paper: Solr; here: simulated)", Lines::querySize),
          new Figure("12", "withheld shards (paper: Solr; here: simulated)", Lines::withheld),
          new Figure("13", "expensive shards (paper: Solr; here: simulated)", Lines::sizes),
          new Figure("14", "servers and p99 (paper: its simulator)", Scale::servers14),
          new Figure("15", "time of a decision (paper: CPLEX on 4 cores)", OptimizationTime::make),
          new Figure("16", "sub-problems and p99 (paper: its simulator)", Scale::subProblems),
          new Figure("workloads", "workloads that the paper does not have", Lines::workloads));

  private static final List<Figure> ALL =
      Stream.concat(PLACEMENT.stream(), ScanFigures.ALL.stream()).toList();

  /** Names that stand for several figures. */
  private static final Map<String, List<Figure>> GROUPS =
      Map.of("placement", PLACEMENT, "scans", ScanFigures.ALL, "all", ALL);

  private static final String USAGE =
      """
      Usage: uniserve figure NAME... [--out DIR] [--trials N] [--queries N] [--small]
        NAME         a figure, placement (PODP), scans (PNUTS), or all:
      %s  --out DIR    where to write (default build/figures)
        --trials N   random trials for each point (default 20)
        --queries N  queries of each run of placement (default 200000)
        --small      few points, trials and queries: a smoke run that proves nothing
      """;

  private final PrintStream out;
  private Path directory = Path.of("build/figures");
  private int trials = 20;
  private int queries = 200_000;
  private boolean small;
  private final Deque<Figure> wanted = new ArrayDeque<>();

  private Figures(PrintStream out) {
    this.out = out;
  }

  /** Runs the program. */
  public static void main(String[] arguments) {
    System.exit(run(System.out, arguments));
  }

  /**
   * Makes the figures that the arguments name.
   *
   * @param out receives progress and claims
   * @return the exit status
   */
  public static int run(PrintStream out, String... arguments) {
    Figures figures = new Figures(out);
    try {
      figures.parse(new ArrayDeque<>(Arrays.asList(arguments)));
    } catch (IllegalArgumentException e) {
      out.println(e.getMessage());
      out.print(usage());
      return 2;
    }
    figures.wanted.forEach(figures::make);
    return 0;
  }

  /** Returns every name that can be given. */
  public static List<String> names() {
    return Stream.concat(ALL.stream().map(Figure::name), Stream.of("placement", "scans", "all"))
        .toList();
  }

  /** Returns the list of figures, for a call without arguments. */
  public static String usage() {
    StringBuilder names = new StringBuilder();
    ALL.forEach(
        figure ->
            names.append("                 %-10s %s%n".formatted(figure.name(), figure.title())));
    return USAGE.formatted(names);
  }

  private void parse(Deque<String> arguments) {
    while (!arguments.isEmpty()) {
      String argument = arguments.poll();
      switch (argument) {
        case "--out" -> directory = Path.of(value(argument, arguments));
        case "--trials" -> trials = number(argument, value(argument, arguments));
        case "--queries" -> queries = number(argument, value(argument, arguments));
        case "--small" -> small = true;
        case "--help", "-h" -> throw new IllegalArgumentException("Makes figures.");
        default -> wanted.addAll(named(argument));
      }
    }
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException("which figure?");
    }
  }

  private static List<Figure> named(String name) {
    List<Figure> named =
        GROUPS.getOrDefault(
            name, ALL.stream().filter(figure -> figure.name().equals(name)).toList());
    if (named.isEmpty()) {
      throw new IllegalArgumentException("no figure '" + name + "'");
    }
    return named;
  }

  private static String value(String option, Deque<String> arguments) {
    return Optional.ofNullable(arguments.poll())
        .orElseThrow(() -> new IllegalArgumentException(option + " needs a value"));
  }

  private static int number(String option, String value) {
    if (!value.matches("[1-9]\\d{0,8}")) {
      throw new IllegalArgumentException(option + " needs a positive number, not '" + value + "'");
    }
    return Integer.parseInt(value);
  }

  private void make(Figure figure) {
    out.println("figure " + figure.name() + ": " + figure.title());
    Progress progress = new Progress(out);
    FigureSettings settings =
        new FigureSettings(
            small ? Math.min(2, trials) : trials,
            small ? Math.min(5_000, queries) : queries,
            small,
            progress::show);
    FigureResult result = figure.make().apply(settings);
    progress.clear();
    try {
      write(figure, result);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    result
        .claims()
        .forEach(
            claim ->
                out.println(
                    "  %s: %s%n      here: %s"
                        .formatted(claim.verdict(), claim.paper(), claim.here())));
  }

  private void write(Figure figure, FigureResult result) throws IOException {
    Files.createDirectories(directory);
    String stem = "figure-" + figure.name();
    Files.writeString(directory.resolve(stem + ".csv"), result.csv());
    for (var chart : result.charts().entrySet()) {
      Files.writeString(directory.resolve(stem + chart.getKey() + ".svg"), chart.getValue().svg());
    }
    StringBuilder claims = new StringBuilder("| the paper | here | |\n|---|---|---|\n");
    result
        .claims()
        .forEach(
            claim ->
                claims.append(
                    "| %s | %s | %s |%n".formatted(claim.paper(), claim.here(), claim.verdict())));
    Files.writeString(directory.resolve(stem + ".md"), claims);
  }
}
