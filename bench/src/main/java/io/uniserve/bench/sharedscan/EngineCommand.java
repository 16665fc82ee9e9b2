package io.uniserve.bench.sharedscan;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.engines.sharedscan.scan.Scanner;
import io.uniserve.tickets.TicketStatements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench ordered engine}. */
@Command(
    name = "engine",
    mixinStandardHelpOptions = true,
    description =
        "Shared scans of tickets by one thread, beside the paper, DuckDB and SQLite in memory.")
public final class EngineCommand implements Callable<Integer> {
  private static final int QUICK_RECORDS = 20_000;
  private static final int PASSES = 25;

  /** The queries whose predicates are drawn at random. */
  private static final int PREDICATES = 200;

  private static final int TEN = 10;

  /** Vectors take some seconds until they are compiled. */
  private static final int WARM_SECONDS = 15;

  /** The rate of the demo, of whose statements every third is an update. */
  private static final int QUERIES_PER_SECOND = 2_000;

  /** The days of the tickets: January 2014 up to this one. */
  private static final int DAYS = 21;

  private static final List<Double> COVERAGES = List.of(0.0, 0.25, 0.5, 0.75, 1.0);

  @Mixin private RunOptions run = new RunOptions();

  @Option(
      names = "--records",
      paramLabel = "N",
      description =
          "The number of tickets; 6,000,000 are the paper's 2 GB. Default: ${DEFAULT-VALUE}.")
  private int records = 200_000;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "The time of each measurement. Default: ${DEFAULT-VALUE}.")
  private int seconds = 10;

  @Override
  public Integer call() throws IOException {
    if (records < 1 || seconds < 1) {
      throw new BenchException("--records and --seconds are at least 1");
    }
    Path directory = run.newDirectory("ordered-engine");
    Duration time = Duration.ofSeconds(run.quick() ? 1 : seconds);
    TicketSegment tickets = TicketSegment.of(run.quick() ? QUICK_RECORDS : records);
    EngineReport report = new EngineReport(tickets);
    try (Scanner scanner = new Scanner("bench", tickets.segment())) {
      ScanLoad load = new ScanLoad(tickets, scanner);
      TicketStatements statements = new TicketStatements(2014, tickets.bookings());
      warm(load, tickets, statements);
      report.copyNanos(MemoryCopy.nanosOf(tickets.numbersBytes()));
      report.allColumns(load.pass(tickets::testOfEachColumn, PASSES));
      report.bareLoop(
          BareLoop.nanosOf(tickets.segment().records(), 1),
          BareLoop.nanosOf(tickets.segment().records(), TEN));
      Predicates predicates = tickets.predicates();
      report.unpredictable(
          load.meanPass(() -> predicates.query(1), PREDICATES),
          load.meanPass(() -> predicates.query(TEN), PREDICATES));
      report.passedByAll(
          load.pass(() -> List.of(tickets.conjunction(1)), PASSES),
          load.pass(() -> List.of(tickets.conjunction(TEN)), PASSES));
      report.reads(load.perSecond(() -> read(statements.rloc()), time));
      report.writes(load.perSecond(write(statements), time));
      Map<Double, Double> ranges = new LinkedHashMap<>();
      for (double coverage : COVERAGES) {
        ranges.put(coverage, load.perSecond(() -> ranged(statements, coverage), time));
      }
      report.ranges(ranges);
      report.mix(load.mix(statements, QUERIES_PER_SECOND, time));
    }
    comparePeers(report, tickets.bookings(), directory, time);
    run.publish("ordered-engine", report.toString());
    Files.writeString(directory.resolve("ordered-engine.svg"), report.plot());
    if (run.docs()) {
      Files.writeString(run.pages().resolve("ordered-engine.svg"), report.plot());
    }
    return 0;
  }

  /** Has the program compiled. */
  private void warm(ScanLoad load, TicketSegment tickets, TicketStatements statements) {
    Duration time = Duration.ofSeconds(run.quick() ? 1 : WARM_SECONDS);
    load.perSecond(statements::query, time);
    load.perSecond(write(statements), time.dividedBy(2));
    load.pass(tickets::testOfEachColumn, PASSES);
  }

  private static String read(String rloc) {
    return "SELECT * FROM tickets WHERE rloc = '" + rloc + "'";
  }

  private static Supplier<String> write(TicketStatements statements) {
    SplittableRandom random = new SplittableRandom(7);
    return () ->
        "UPDATE tickets SET agent = "
            + random.nextInt(20_000)
            + " WHERE rloc = '"
            + statements.rloc()
            + "'";
  }

  /** Returns a query of a booking whose range of days covers a part of all. */
  private static String ranged(TicketStatements statements, double coverage) {
    int days = Math.max(1, (int) Math.round(coverage * DAYS));
    int first = 1 + statements.random().nextInt(DAYS - days + 1);
    return "SELECT count(*) FROM tickets WHERE rloc = '%s' AND departure BETWEEN '2014-01-%02d' AND '2014-01-%02d'"
        .formatted(statements.rloc(), first, first + days - 1);
  }

  private static void comparePeers(
      EngineReport report, long bookings, Path directory, Duration time) throws IOException {
    Path csv = directory.resolve("tickets.csv");
    SqlPeer.write(csv, bookings);
    try (SqlPeer duckDb = SqlPeer.duckDb(csv);
        SqlPeer sqlite = SqlPeer.sqlite(bookings)) {
      for (boolean indexed : List.of(false, true)) {
        String how = indexed ? ", five indexes" : ", no index";
        if (indexed) {
          duckDb.index();
          sqlite.index();
        }
        report.peer("DuckDB, one thread" + how, duckDb.perSecond(mix(bookings), time));
        report.peer("SQLite" + how, sqlite.perSecond(mix(bookings), time));
      }
    } finally {
      Files.delete(csv);
    }
  }

  private static TicketStatements mix(long bookings) {
    return new TicketStatements(99, bookings);
  }
}
