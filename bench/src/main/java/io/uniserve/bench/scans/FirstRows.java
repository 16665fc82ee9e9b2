package io.uniserve.bench.scans;

import io.uniserve.api.Durability;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.report.Table;
import io.uniserve.engines.search.AddDocuments;
import io.uniserve.engines.search.Refresh;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.engines.search.SearchPlanner;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The time until the first record of a search table arrives. */
final class FirstRows implements Experiment {
  private static final int SERVERS = 4;
  private static final int ACTORS = 8;
  private static final int DOCUMENTS = 40_000;
  private static final int BATCH = 2_000;
  private static final int SCANS = 300;
  private static final int WARM_UP = 100;
  private static final double AIM_SECONDS = 0.02;
  private static final String TABLE = "documents";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @Override
  public String name() {
    return "first";
  }

  @Override
  public Result run(Conditions conditions) {
    int documents = conditions.quick() ? BATCH : DOCUMENTS;
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(
            new EmbeddedSettings(
                conditions.directory().resolve("first"),
                SERVERS,
                List.of(new SearchEngine()),
                Optional.empty()))) {
      UniserveClient client = cluster.client();
      load(client, documents);
      List<Double> all = new ArrayList<>();
      for (int i = 0; i < WARM_UP + SCANS; i++) {
        double seconds = first(client);
        if (i >= WARM_UP) {
          all.add(seconds);
        }
      }
      return result(all.stream().sorted().toList(), documents);
    }
  }

  private static void load(UniserveClient client, int documents) {
    TableDefinition table =
        new TableDefinition(
            TABLE,
            SearchEngine.NAME,
            new Partitioner.Hash(ACTORS),
            1,
            Durability.NONE,
            Map.of("fields", Map.of("text", Map.of("type", "text"))));
    client.createTable(table, TIMEOUT);
    SearchPlanner planner = new SearchPlanner();
    for (int begin = 0; begin < documents; begin += BATCH) {
      List<Map<String, Object>> rows =
          IntStream.range(begin, begin + BATCH)
              .mapToObj(
                  n ->
                      Map.<String, Object>of(
                          "id", "d" + n, "text", "document number " + n + " of some words"))
              .toList();
      client.update(TABLE, new AddDocuments(), planner.records(table, rows), UpdateOptions.DEFAULT);
    }
    client.updateAll(TABLE, new Refresh(), UpdateOptions.DEFAULT);
  }

  /** Returns the time from asking to the first record. */
  private static double first(UniserveClient client) {
    long began = System.nanoTime();
    try (Scan scan = client.scan(TABLE, ScanRequest.ALL, ScanOptions.DEFAULT)) {
      scan.next();
      return (System.nanoTime() - began) / 1e9;
    }
  }

  private static Result result(List<Double> sorted, int documents) {
    double median = sorted.get(sorted.size() / 2);
    double most = sorted.get(sorted.size() * 95 / 100);
    Table table = new Table("median, ms", "95th percentile, ms");
    table.add(Numbers.one(1_000 * median), Numbers.one(1_000 * most));
    return new Result(
        String.format(
                Locale.ROOT,
                "### First rows\n\nFrom asking to the first of %,d documents in a search table of %d actors, %d times.\n\n",
                documents,
                ACTORS,
                SCANS)
            + table,
        List.of(
            new Claim(
                "first",
                "(our aim) first rows within 20 ms of asking",
                Numbers.one(1_000 * median) + " ms",
                median <= AIM_SECONDS)));
  }
}
