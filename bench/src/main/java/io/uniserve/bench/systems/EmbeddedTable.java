package io.uniserve.bench.systems;

import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.corpus.BenchDocument;
import io.uniserve.engines.search.Refresh;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.engines.search.SearchPlanner;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The table of the benchmark's documents in an embedded cluster of this process, used through the
 * Java client. It is thread-safe.
 */
public final class EmbeddedTable implements AutoCloseable {

  private static final Duration CREATE_TIMEOUT = Duration.ofSeconds(30);

  private final TableDefinition table =
      new TableDefinition(
          WikiTable.NAME,
          SearchEngine.NAME,
          new Partitioner.Hash(WikiTable.ACTORS),
          1,
          Durability.NONE,
          WikiTable.schema(WikiTable.WRITE_BUFFER_MEGABYTES));
  private final SearchPlanner planner = new SearchPlanner();
  private final AtomicLong loaded = new AtomicLong();
  private final EmbeddedCluster cluster;
  private final UniserveClient client;

  private EmbeddedTable(EmbeddedCluster cluster) {
    this.cluster = cluster;
    this.client = cluster.client();
  }

  /** Starts a cluster and creates the table. */
  public static EmbeddedTable create(Path directory, int servers) {
    EmbeddedCluster cluster = EmbeddedCluster.start(directory, servers, new SearchEngine());
    EmbeddedTable embedded = new EmbeddedTable(cluster);
    embedded.client.createTable(embedded.table, CREATE_TIMEOUT);
    return embedded;
  }

  /** Adds documents. */
  public void load(List<BenchDocument> batch) {
    update(
        planner.records(table, batch.stream().map(DocumentFields::of).toList()),
        planner.load(table));
    loaded.addAndGet(batch.size());
  }

  @SuppressWarnings("unchecked")
  private <R extends PartitionedRecord> void update(
      List<? extends PartitionedRecord> records, UpdateFunction<?, ?> function) {
    client.update(
        table.name(),
        (UpdateFunction<?, R>) function,
        (List<? extends R>) records,
        UpdateOptions.DEFAULT);
  }

  /**
   * Makes all loaded documents visible.
   *
   * @throws BenchException if a document is missing
   */
  public void makeVisible() {
    client.updateAll(table.name(), new Refresh(), UpdateOptions.DEFAULT);
    long found = query("*:*", 0, SearchRequest.Statistics.LOCAL).total();
    if (found != loaded.get()) {
      throw new BenchException("%d documents loaded, %d found".formatted(loaded.get(), found));
    }
  }

  /**
   * Searches.
   *
   * @param rows the number of hits to return, with ids and scores
   */
  public SearchResult query(String query, int rows, SearchRequest.Statistics statistics) {
    SearchRequest request =
        SearchRequest.of(query).with(Page.first(rows)).with(HitContents.ID_ONLY).with(statistics);
    Plan<SearchResult> plan = SearchPlanner.plan(table, request);
    return client.query(plan, QueryOptions.DEFAULT);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
