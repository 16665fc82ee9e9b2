package io.uniserve.node.demo;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.cluster.StateWait;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.Retries;
import io.uniserve.node.rows.Item;
import io.uniserve.node.rows.RowFile;
import io.uniserve.node.rows.RowReader;
import io.uniserve.node.text.Figures;
import io.uniserve.node.text.ProgressLine;
import io.uniserve.node.text.Style;
import io.uniserve.runtime.client.QueryOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * The demo of OLAP: it loads one day of Wikipedia's edits, asks Druid's native queries whose
 * answers are known, and asks them again while a server is stopped.
 */
public final class OlapDemo {
  private static final String NAME = "wikipedia";
  private static final String ARCHIVE = "wikiticker-2015-09-12-sampled.json.gz";
  private static final String VICTIM = "s3";
  private static final long ROWS = 39_244;
  private static final int ACTORS = 4;
  private static final int REPLICAS = 2;
  private static final int BATCH = 2_000;
  private static final int BATCHES_IN_FLIGHT = 3;
  private static final int QUERIES_AFTER_STOP = 40;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static final String DAY =
      "\"dataSource\": \"wikipedia\", \"intervals\": [\"2015-09-12/2015-09-13\"]";
  private static final String EDITS = "{\"type\": \"count\", \"name\": \"edits\"}";
  private static final String ADDED =
      "{\"type\": \"longSum\", \"name\": \"added\", \"fieldName\": \"added\"}";

  private final EmbeddedCluster cluster;
  private final int port;
  private final PrintStream out;
  private final Style style;
  private final TableDefinition definition =
      new TableDefinition(
          NAME,
          "olap",
          new Partitioner.Hash(ACTORS),
          REPLICAS,
          Durability.NONE,
          Map.of(
              "timestampSpec",
              Map.of("column", "time", "format", "iso"),
              "dimensionsSpec",
              Map.of(
                  "dimensions",
                  List.of(
                      "channel",
                      "cityName",
                      "comment",
                      "countryIsoCode",
                      "countryName",
                      "isAnonymous",
                      "isMinor",
                      "isNew",
                      "isRobot",
                      "isUnpatrolled",
                      "metroCode",
                      "namespace",
                      "page",
                      "regionIsoCode",
                      "regionName",
                      "user",
                      Map.of("name", "added", "type", "long"),
                      Map.of("name", "deleted", "type", "long"),
                      Map.of("name", "delta", "type", "long"))),
              "granularitySpec",
              Map.of("queryGranularity", "none", "rollup", false)));

  /**
   * @param cluster the cluster
   * @param port the port of HTTP
   */
  public OlapDemo(EmbeddedCluster cluster, int port, PrintStream out, Style style) {
    this.cluster = cluster;
    this.port = port;
    this.out = out;
    this.style = style;
  }

  /** A query, and what its answer has to contain. */
  private record Asked(String what, String query, String answer) {}

  private static final List<Asked> QUERIES =
      List.of(
          new Asked(
              "edits, and characters added",
              "{\"queryType\": \"timeseries\", \"granularity\": \"all\", \"aggregations\": ["
                  + EDITS
                  + ", "
                  + ADDED
                  + "], "
                  + DAY
                  + "}",
              "{added=9385573, edits=39244}"),
          new Asked(
              "the page edited most",
              "{\"queryType\": \"topN\", \"granularity\": \"all\", \"dimension\": \"page\", \"metric\":"
                  + " \"edits\", \"threshold\": 1, \"aggregations\": ["
                  + EDITS
                  + "], "
                  + DAY
                  + "}",
              "{edits=33, page=Wikipedia:Vandalismusmeldung}"),
          new Asked(
              "the first edit and the last",
              "{\"queryType\": \"timeBoundary\", \"dataSource\": \"wikipedia\"}",
              "{maxTime=2015-09-12T23:59:59.200Z, minTime=2015-09-12T00:46:58.771Z}"));

  /** Shows everything; returns the problems. */
  public List<String> run() {
    if (cluster.client().state().table(NAME).isPresent()) {
      cluster.client().dropTable(NAME, TIMEOUT);
    }
    cluster.client().createTable(definition, TIMEOUT);
    out.println(
        style.strong("One day of Wikipedia's edits")
            + "  a datasource of Druid's in "
            + ACTORS
            + " actors, "
            + REPLICAS
            + " copies of each");
    load();
    List<String> problems = new ArrayList<>();
    QUERIES.forEach(asked -> show(asked, problems));
    stopOne(problems);
    return problems;
  }

  private void load() {
    LongAdder stored = new LongAdder();
    Duration took;
    try (ProgressLine progress =
        new ProgressLine(out, style, "edits", ROWS, stored::sum, stored::sum)) {
      InputStream archive = OlapDemo.class.getResourceAsStream("/demo/" + ARCHIVE);
      if (archive == null) {
        throw new IllegalStateException("the program lacks its resource demo/" + ARCHIVE);
      }
      RowReader rows = RowFile.open(ARCHIVE, archive, read -> {});
      new BatchStore(cluster.client(), definition, BATCHES_IN_FLIGHT, Retries.DEFAULT)
          .store(() -> next(rows), stored::add);
      took = progress.elapsed();
    }
    out.println(
        "Loaded "
            + Figures.count(stored.sum())
            + " edits on all copies in "
            + style.good(Figures.duration(took)));
  }

  private static List<Map<String, Object>> next(RowReader rows) {
    try {
      List<Map<String, Object>> batch = new ArrayList<>(BATCH);
      while (batch.size() < BATCH) {
        Optional<Item> item = rows.next();
        if (item.isEmpty()) {
          break;
        }
        if (!(item.get() instanceof Item.Row row)) {
          throw new IllegalStateException("the archive of edits is damaged: " + item.get());
        }
        batch.add(Settings.object("an edit", Json.parse(row.json(), 0, row.json().length)));
      }
      return batch;
    } catch (IOException e) {
      throw new IllegalStateException("the archive of edits is damaged", e);
    }
  }

  private Optional<String> wrong(Asked asked) {
    try {
      Object answer =
          cluster
              .client()
              .query(
                  cluster.client().planner(definition).plan(definition, asked.query, Map.of()),
                  new QueryOptions(TIMEOUT));
      String text = String.valueOf(sorted(answer));
      return text.contains(asked.answer)
          ? Optional.empty()
          : Optional.of(asked.what + ": " + text + " instead of " + asked.answer);
    } catch (UniserveException e) {
      return Optional.of(asked.what + ": " + e.getMessage());
    }
  }

  /** Returns a document whose objects have their fields in order. */
  private static Object sorted(Object document) {
    return switch (document) {
      case Map<?, ?> map -> {
        Map<String, Object> fields = new java.util.TreeMap<>();
        map.forEach((name, value) -> fields.put((String) name, sorted(value)));
        yield fields;
      }
      case List<?> list -> list.stream().map(OlapDemo::sorted).toList();
      case null, default -> document;
    };
  }

  private void show(Asked asked, List<String> problems) {
    long started = System.nanoTime();
    Optional<String> wrong = wrong(asked);
    String took = Figures.duration(Duration.ofNanos(System.nanoTime() - started));
    wrong.ifPresent(problems::add);
    out.printf(
        "  %-28s %10s  %s%n",
        asked.what, took, wrong.map(style::bad).orElseGet(() -> style.good(asked.answer)));
  }

  private void stopOne(List<String> problems) {
    cluster.stopServer(VICTIM);
    out.println("  " + style.bad("✗ " + VICTIM + " is gone") + ", as if its process were killed");
    int wrong = 0;
    for (int i = 0; i < QUERIES_AFTER_STOP; i++) {
      Optional<String> problem = wrong(QUERIES.get(i % QUERIES.size()));
      problem.ifPresent(problems::add);
      wrong += problem.isPresent() ? 1 : 0;
    }
    out.println(
        "  "
            + QUERIES_AFTER_STOP
            + " queries since, "
            + (wrong == 0 ? style.good("all right") : style.bad(wrong + " wrong")));
    try {
      StateWait.await(
          cluster.client(),
          state -> !state.alive(VICTIM) && StateWait.whole(state),
          TIMEOUT,
          "every copy to be made again");
      out.println("  every copy is made again on the other servers");
    } catch (UniserveException e) {
      problems.add(e.getMessage());
    }
  }

  /** Prints what can be done with a cluster that stays up. */
  public void sayFarewell() {
    out.println();
    out.println("The datasource stays up. In another terminal:");
    out.println(
        "  curl -s http://localhost:"
            + port
            + "/druid/v2/sql -H 'Content-Type: application/json' -d '{\"query\": \"SELECT channel,"
            + " COUNT(*) AS edits FROM wikipedia GROUP BY 1 ORDER BY 2 DESC LIMIT 5\"}'");
    out.println(
        "  curl -s http://localhost:" + port + "/druid/v2 -d '" + QUERIES.get(1).query + "'");
    out.println("Stop it with Ctrl-C.");
  }
}
