package io.uniserve.node.demo;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.cluster.StateWait;
import io.uniserve.node.demo.OlapDatasource.Asked;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.text.Style;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The demo of OLAP: flights, most of whose queries are about the newest days; then one day of
 * Wikipedia's edits, Druid's native queries whose answers are known, and a server that is stopped.
 */
public final class OlapDemo {
  private static final String NAME = "wikipedia";
  private static final String ARCHIVE = "wikiticker-2015-09-12-sampled.json.gz";
  private static final String VICTIM = "s3";
  private static final long ROWS = 39_244;
  private static final int ACTORS = 4;
  private static final int REPLICAS = 2;
  private static final int QUERIES_AFTER_STOP = 40;

  private static final String DAY =
      "\"dataSource\": \"wikipedia\", \"intervals\": [\"2015-09-12/2015-09-13\"]";
  private static final String EDITS = "{\"type\": \"count\", \"name\": \"edits\"}";
  private static final String ADDED =
      "{\"type\": \"longSum\", \"name\": \"added\", \"fieldName\": \"added\"}";

  private static final TableDefinition EDITS_TABLE =
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

  private final EmbeddedCluster cluster;
  private final int port;
  private final PrintStream out;
  private final Style style;
  private final OlapDatasource edits;
  private final FlightsDemo flights;

  /**
   * @param cluster the cluster
   * @param port the port of HTTP
   */
  public OlapDemo(EmbeddedCluster cluster, int port, PrintStream out, Style style) {
    this.cluster = cluster;
    this.port = port;
    this.out = out;
    this.style = style;
    edits = new OlapDatasource(cluster, EDITS_TABLE, ARCHIVE, "edits", ROWS, out, style);
    flights = new FlightsDemo(cluster, out, style);
  }

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
    List<String> problems = new ArrayList<>(flights.run());
    out.println();
    out.println(
        style.strong("One day of Wikipedia's edits")
            + "  a datasource of Druid's in "
            + ACTORS
            + " actors, "
            + REPLICAS
            + " copies of each");
    edits.make();
    QUERIES.forEach(asked -> edits.show(asked, problems));
    stopOne(problems);
    return problems;
  }

  private void stopOne(List<String> problems) {
    cluster.stopServer(VICTIM);
    out.println("  " + style.bad("✗ " + VICTIM + " is gone") + ", as if its process were killed");
    int wrong = 0;
    for (int i = 0; i < QUERIES_AFTER_STOP; i++) {
      Optional<String> problem = edits.wrong(QUERIES.get(i % QUERIES.size()));
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
          OlapDatasource.TIMEOUT,
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
        "  curl -s http://localhost:" + port + "/druid/v2 -d '" + QUERIES.get(1).query() + "'");
    out.println("Stop it with Ctrl-C.");
  }
}
