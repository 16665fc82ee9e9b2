package io.uniserve.node.demo;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.remote.Retries;
import io.uniserve.node.text.Figures;
import io.uniserve.node.text.ProgressLine;
import io.uniserve.node.text.Style;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** The demo of a SQL warehouse: it loads TPC-H, runs its 22 queries and checks the answers. */
public final class SqlDemo {
  private static final String NAME = "tpch";
  private static final int ACTORS = 4;
  private static final int REPLICAS = 2;
  private static final int BATCH = 10_000;
  private static final int BATCHES_IN_FLIGHT = 3;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final UniserveClient client;
  private final int port;
  private final PrintStream out;
  private final Style style;
  private final TableDefinition definition =
      new TableDefinition(
          NAME,
          "warehouse",
          new Partitioner.Hash(ACTORS),
          REPLICAS,
          Durability.NONE,
          TpchData.schema());

  /**
   * @param client the client of the cluster
   * @param port the port of HTTP
   */
  public SqlDemo(UniserveClient client, int port, PrintStream out, Style style) {
    this.client = client;
    this.port = port;
    this.out = out;
    this.style = style;
  }

  /** Shows everything; returns the problems. */
  public List<String> run() {
    if (client.state().table(NAME).isPresent()) {
      client.dropTable(NAME, TIMEOUT);
    }
    client.createTable(definition, TIMEOUT);
    out.println(
        style.strong("TPC-H, scale factor 0.1")
            + "  8 tables in one warehouse of "
            + ACTORS
            + " databases, "
            + REPLICAS
            + " copies of each");
    load();
    List<String> problems = new ArrayList<>();
    for (int query = 1; query <= TpchData.QUERIES; query++) {
      run(query, problems);
    }
    return problems;
  }

  private void run(int query, List<String> problems) {
    long started = System.nanoTime();
    Map<?, ?> answer =
        (Map<?, ?>)
            client.query(
                client.planner(definition).plan(definition, TpchData.query(query), Map.of()),
                new QueryOptions(TIMEOUT));
    List<?> rows = (List<?>) answer.get("rows");
    String took = Figures.duration(Duration.ofNanos(System.nanoTime() - started));
    Optional<String> wrong = TpchCheck.wrong(query, rows);
    wrong.ifPresent(problems::add);
    String right =
        TpchCheck.comparable(query) ? style.good("as published") : style.faint("not compared");
    String verdict = wrong.isPresent() ? style.bad("WRONG") : right;
    out.printf(
        "  query %2d  %7s  %10s  %s%n", query, Figures.plural(rows.size(), "row"), took, verdict);
  }

  private void load() {
    LongAdder stored = new LongAdder();
    Duration took;
    try (ProgressLine progress =
        new ProgressLine(out, style, "rows", TpchData.ROWS, stored::sum, stored::sum)) {
      load(stored);
      took = progress.elapsed();
    }
    out.println(
        "Loaded "
            + Figures.count(stored.sum())
            + " rows on all copies in "
            + style.good(Figures.duration(took)));
  }

  private void load(LongAdder stored) {
    BatchStore store = new BatchStore(client, definition, BATCHES_IN_FLIGHT, Retries.DEFAULT);
    for (String table : TpchData.tables()) {
      Iterator<Map<String, Object>> rows = TpchData.rows(table, TpchData.SCALE);
      store.store(() -> next(rows), stored::add);
    }
  }

  private static List<Map<String, Object>> next(Iterator<Map<String, Object>> rows) {
    List<Map<String, Object>> batch = new ArrayList<>(BATCH);
    while (rows.hasNext() && batch.size() < BATCH) {
      batch.add(rows.next());
    }
    return batch;
  }

  /** Prints what can be done with a cluster that stays up. */
  public void sayFarewell() {
    out.println();
    out.println("The warehouse stays up. In another terminal:");
    out.println("  ./uniserve sql --url http://localhost:" + port);
    out.println(
        "  ./uniserve sql --url http://localhost:"
            + port
            + " -c 'explain select o_orderpriority, count(*) from orders group by o_orderpriority'");
    out.println("Stop it with Ctrl-C.");
  }
}
