package io.uniserve.bench.systems;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.corpus.BenchDocument;
import io.uniserve.engines.search.Refresh;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.engines.search.SearchPlanner;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchRequest;
import java.time.Duration;
import java.util.List;

/** A search table of the benchmark's documents with one copy, used through the Java client. */
public final class SearchTable {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final UniserveClient client;
  private final TableDefinition table;
  private final SearchPlanner planner = new SearchPlanner();

  /** Creates the table. */
  public SearchTable(UniserveClient client, String name, int actors, Durability durability) {
    this.client = client;
    table =
        new TableDefinition(
            name,
            SearchEngine.NAME,
            new Partitioner.Hash(actors),
            1,
            durability,
            WikiTable.schema(WikiTable.WRITE_BUFFER_MEGABYTES));
    client.createTable(table, TIMEOUT);
  }

  /** Adds documents. */
  public void add(List<BenchDocument> documents) {
    update(
        planner.records(table, documents.stream().map(DocumentFields::of).toList()),
        planner.load(table));
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

  /** Makes all added documents visible. */
  public void refresh() {
    client.updateAll(table.name(), new Refresh(), UpdateOptions.DEFAULT);
  }

  /** Returns the number of documents that can be found, by one query of all actors. */
  public long count(Duration timeout) {
    SearchRequest request = SearchRequest.of("*:*").with(Page.first(0)).with(HitContents.ID_ONLY);
    return client.query(SearchPlanner.plan(table, request), new QueryOptions(timeout)).total();
  }

  /** Returns the size of the table's files in bytes. */
  public long diskBytes() {
    long id = client.state().requireTable(table.name()).id();
    return client.view().statuses(TIMEOUT).stream()
        .flatMap(server -> server.actors().stream())
        .filter(actor -> actor.actor().table() == id)
        .mapToLong(actor -> actor.usage().diskBytes())
        .sum();
  }

  /** Backs up all data into the durable store. */
  public void backUp() {
    client.backups().backUp(table.name(), Duration.ofMinutes(5));
  }
}
