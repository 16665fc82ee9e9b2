package io.uniserve.node.demo;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.cluster.StateWait;
import io.uniserve.node.demo.OlapDatasource.Asked;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.text.Style;
import io.uniserve.runtime.wire.PlacementMessage.PlacementDecided;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import java.io.PrintStream;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The part of the demo of OLAP with a hot slice: three weeks of flights in seven intervals of three
 * days, most of whose queries are about the newest three. Balancing gives that slice more copies.
 */
final class FlightsDemo {
  private static final String NAME = "flights";
  private static final String ARCHIVE = "flights-2014-01.json.gz";
  private static final long ROWS = 6_630;
  private static final LocalDate FIRST = LocalDate.of(2014, 1, 1);
  private static final int SLICES = 7;
  private static final int DAYS = 3;
  private static final int HOT = SLICES - 1;
  private static final int REPLICAS = 2;
  private static final int CLIENTS = 6;

  /** One of so many queries is about any of the slices; the others are about the newest. */
  private static final int ELSEWHERE_ONE_IN = 8;

  /** The time after which servers have told of their load. */
  private static final Duration WATCHED = Duration.ofSeconds(4);

  private static final int LOOKS_MAX = 8;

  private static final String FLIGHTS = "{\"type\": \"count\", \"name\": \"flights\"}";
  private static final String MILES =
      "{\"type\": \"longSum\", \"name\": \"miles\", \"fieldName\": \"distance\"}";

  private static final Asked HOT_QUERY =
      new Asked(
          "the newest three days", sums("2014-01-19/2014-01-22"), "{flights=859, miles=698572}");

  private static final List<Asked> QUERIES =
      List.of(
          new Asked(
              "flights, and their miles",
              sums("2014-01-01/2014-01-22"),
              "{flights=6630, miles=5373144}"),
          new Asked(
              "the busiest airport",
              "{\"queryType\": \"topN\", \"dataSource\": \"flights\", \"intervals\": [\"2014/2015\"],"
                  + " \"granularity\": \"all\", \"dimension\": \"origin\", \"metric\": \"flights\","
                  + " \"threshold\": 1, \"aggregations\": ["
                  + FLIGHTS
                  + "]}",
              "{flights=440, origin=ATL}"),
          HOT_QUERY);

  private final EmbeddedCluster cluster;
  private final PrintStream out;
  private final Style style;

  FlightsDemo(EmbeddedCluster cluster, PrintStream out, Style style) {
    this.cluster = cluster;
    this.out = out;
    this.style = style;
  }

  private static String sums(String interval) {
    return "{\"queryType\": \"timeseries\", \"dataSource\": \"flights\", \"granularity\": \"all\","
        + " \"intervals\": [\""
        + interval
        + "\"], \"aggregations\": ["
        + FLIGHTS
        + ", "
        + MILES
        + "]}";
  }

  /** Returns the table, divided at the days on which its slices begin. */
  private TableDefinition definition() {
    TableDefinition whole = definition(new Partitioner.Hash(1));
    List<PartitionKey> splits = new ArrayList<>();
    for (int slice = 1; slice < SLICES; slice++) {
      String day = FIRST.plusDays((long) slice * DAYS).toString();
      splits.add(cluster.client().planner(whole).key(whole, day));
    }
    return definition(new Partitioner.Range(splits));
  }

  private static TableDefinition definition(Partitioner partitioner) {
    return new TableDefinition(
        NAME,
        "olap",
        partitioner,
        REPLICAS,
        Durability.NONE,
        Map.of(
            "timestampSpec",
            Map.of("column", "time", "format", "iso"),
            "dimensionsSpec",
            Map.of(
                "dimensions",
                List.of(
                    "carrier",
                    "origin",
                    "originState",
                    "dest",
                    "destState",
                    Map.of("name", "flight", "type", "long"),
                    Map.of("name", "departureDelay", "type", "long"),
                    Map.of("name", "arrivalDelay", "type", "long"),
                    Map.of("name", "distance", "type", "long"),
                    Map.of("name", "cancelled", "type", "long"),
                    Map.of("name", "diverted", "type", "long"))),
            "granularitySpec",
            Map.of("queryGranularity", "none", "rollup", false)));
  }

  /** Shows everything; returns the problems. */
  List<String> run() {
    List<String> problems = new ArrayList<>();
    OlapDatasource flights =
        new OlapDatasource(cluster, definition(), ARCHIVE, "flights", ROWS, out, style);
    out.println(
        style.strong("Three weeks of flights")
            + "  a datasource of Druid's in "
            + SLICES
            + " intervals of "
            + DAYS
            + " days, "
            + REPLICAS
            + " copies of each");
    flights.make();
    QUERIES.forEach(asked -> flights.show(asked, problems));
    heat(flights, problems);
    return problems;
  }

  /** Asks for the newest days again and again, and has load balanced meanwhile. */
  private void heat(OlapDatasource flights, List<String> problems) {
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger asked = new AtomicInteger();
    List<String> wrong = new ArrayList<>();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CLIENTS; i++) {
        clients.execute(
            () -> {
              while (!over.get()) {
                int number = asked.incrementAndGet();
                Asked query = number % ELSEWHERE_ONE_IN == 0 ? QUERIES.getFirst() : HOT_QUERY;
                Optional<String> problem = flights.wrong(query);
                synchronized (wrong) {
                  problem.ifPresent(wrong::add);
                }
              }
            });
      }
      try {
        LockSupport.parkNanos(WATCHED.toNanos());
        showBalance(problems);
      } finally {
        over.set(true);
      }
    }
    out.printf(
        "  %,d queries meanwhile, 7 of 8 of them about the newest three days, %s%n",
        asked.get(),
        wrong.isEmpty() ? style.good("all right") : style.bad(wrong.size() + " wrong"));
    problems.addAll(wrong);
  }

  /** Has load balanced until the hot slice has more copies: the first looks may come too early. */
  private void showBalance(List<String> problems) {
    int before = copies(cluster.client().state());
    String summary = "";
    try {
      for (int look = 0; look < LOOKS_MAX; look++) {
        PlacementDecided decided =
            cluster
                .client()
                .admin()
                .decidePlacement(Optional.empty(), true, OlapDatasource.TIMEOUT);
        summary = decided.summary() + " " + decided.changes();
        if (StateWait.holds(cluster.client(), state -> copies(state) > before, WATCHED)) {
          out.printf(
              "  load is balanced: %s; the newest three days have %s instead of %d%n",
              decided.summary(), style.good(copies(cluster.client().state()) + " copies"), before);
          return;
        }
      }
      problems.add("the hot slice has no more copies: " + summary);
    } catch (UniserveException e) {
      problems.add("balancing: " + e.getMessage());
    }
  }

  /** Returns the number of copies of the hot slice that answer queries. */
  private static int copies(ClusterState state) {
    ActorState actor = state.requireTable(NAME).actors().get(HOT);
    return (int)
        actor.copies().stream().filter(copy -> copy.status() == CopyState.Status.READY).count();
  }
}
