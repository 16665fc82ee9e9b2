package io.uniserve.bench.durability;

import io.uniserve.api.Durability;
import io.uniserve.api.error.UniserveException;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.corpus.BenchDocument;
import io.uniserve.bench.corpus.Corpus;
import io.uniserve.bench.systems.SearchTable;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.node.embedded.EmbeddedCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A measurement of the loss of a server that holds the only copies of all actors, which another,
 * empty server restores.
 */
final class LostServer {
  private static final int BATCH = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final long bytes;
  private final int actors;
  private final int repetitions;
  private long loaded;

  /**
   * @param bytes the amount of data on the server
   */
  LostServer(long bytes, int actors, int repetitions) {
    this.bytes = bytes;
    this.actors = actors;
    this.repetitions = repetitions;
  }

  /** Measures, and returns the report. */
  String measure(Corpus corpus, Path directory) {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, 1, new SearchEngine())) {
      SearchTable table = new SearchTable(cluster.client(), "wiki", actors, Durability.SYNCHRONOUS);
      for (int pass = 0; table.diskBytes() < bytes; pass++) {
        int number = pass;
        corpus.forEachBatch(BATCH, batch -> load(table, renamed(batch, number)));
      }
      table.refresh();
      table.backUp();
      long size = table.diskBytes();
      List<Double> seconds = new ArrayList<>();
      for (int i = 0; i < repetitions; i++) {
        seconds.add(loseOne(cluster, table, i) / 1e9);
      }
      seconds.sort(null);
      return "%d actors of one copy, %s, on a server that is killed; all of them can be read on another, empty server after %.2f s (median; %.2f-%.2f s in %d repetitions), the failure's detection included."
          .formatted(
              actors,
              UpdateCost.megabytes(size),
              seconds.get(seconds.size() / 2),
              seconds.getFirst(),
              seconds.getLast(),
              repetitions);
    }
  }

  private void load(SearchTable table, List<BenchDocument> batch) {
    if (loaded % 50_000 != 0 || table.diskBytes() < bytes) {
      table.add(batch);
      loaded += batch.size();
    }
  }

  private static List<BenchDocument> renamed(List<BenchDocument> batch, int pass) {
    return batch.stream()
        .map(
            document ->
                new BenchDocument(
                    document.id() + "-" + pass,
                    document.title(),
                    document.body(),
                    document.timeSecond()))
        .toList();
  }

  /** Removes the server that has all data, and adds one that has none. */
  private long loseOne(EmbeddedCluster cluster, SearchTable table, int number) {
    cluster.startServer("s" + (number + 2));
    awaitCount(table, System.nanoTime());
    long began = System.nanoTime();
    cluster.stopServer("s" + (number + 1));
    return awaitCount(table, began);
  }

  private long awaitCount(SearchTable table, long began) {
    while (System.nanoTime() - began < PATIENCE.toNanos()) {
      try {
        long found = table.count(Duration.ofSeconds(1));
        if (found != loaded) {
          throw new BenchException("%d documents loaded, %d found".formatted(loaded, found));
        }
        return System.nanoTime() - began;
      } catch (UniserveException e) {
        if (!e.retryable()) {
          throw e;
        }
      }
    }
    throw new BenchException("The actors are not back after " + PATIENCE);
  }
}
