package io.uniserve.bench.loading;

import io.uniserve.api.Durability;
import io.uniserve.api.PartitionedRecord;
import io.uniserve.api.Partitioner;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.bench.BenchException;
import io.uniserve.bench.corpus.BenchDocument;
import io.uniserve.bench.systems.DocumentFields;
import io.uniserve.bench.systems.WikiTable;
import io.uniserve.engines.search.Refresh;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.engines.search.SearchPlanner;
import io.uniserve.node.EmbeddedCluster;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.textindex.Page;
import io.uniserve.textindex.SearchRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The program of the process that loads an embedded cluster of one server through the Java client.
 */
public final class EmbeddedLoadProcess {

  private static final Duration CREATE_TIMEOUT = Duration.ofSeconds(30);

  private final UniserveClient client;
  private final TableDefinition table =
      new TableDefinition(
          WikiTable.NAME,
          SearchEngine.NAME,
          new Partitioner.Hash(WikiTable.ACTORS),
          1,
          Durability.NONE,
          WikiTable.schema());
  private final Planner planner = new SearchPlanner();
  private final AtomicLong loaded = new AtomicLong();

  private EmbeddedLoadProcess(UniserveClient client) {
    this.client = client;
  }

  /**
   * @param arguments those of {@link LoadProgram}
   */
  public static void main(String[] arguments) throws IOException {
    LoadProgram program = LoadProgram.of(arguments);
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(program.directory(), 1, new SearchEngine())) {
      EmbeddedLoadProcess process = new EmbeddedLoadProcess(cluster.client());
      cluster.client().createTable(process.table, CREATE_TIMEOUT);
      program.run(process::load, process::makeVisible);
    }
  }

  private void load(List<BenchDocument> batch) {
    update(
        planner.records(table, batch.stream().map(DocumentFields::of).toList()),
        planner.load(table));
    loaded.addAndGet(batch.size());
  }

  private void makeVisible() {
    client.updateAll(table.name(), new Refresh(), UpdateOptions.DEFAULT);
    SearchRequest all = SearchRequest.of("*:*").with(Page.first(0));
    long found = client.query(SearchPlanner.plan(table, all), QueryOptions.DEFAULT).total();
    if (found != loaded.get()) {
      throw new BenchException("%d documents loaded, %d found".formatted(loaded.get(), found));
    }
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
}
