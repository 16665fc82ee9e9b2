package io.uniserve.bench.ranges;

import static java.util.stream.Collectors.toSet;

import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.corpus.BenchDocument;
import io.uniserve.bench.corpus.Corpus;
import io.uniserve.bench.systems.DocumentFields;
import io.uniserve.bench.systems.WikiTable;
import io.uniserve.engines.search.AddDocuments;
import io.uniserve.engines.search.Refresh;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.engines.search.SearchPlanner;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.wire.LoadSettings;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Two servers with one worker thread each, and a table of documents in the order of their articles.
 * Adjacent articles are in adjacent actors. Each actor has one copy.
 */
final class RangeTable implements AutoCloseable {
  static final int SERVERS = 2;
  static final int ACTORS = 8;

  /** The number of actors in a query. */
  static final int RANGE = 2;

  /** The number of different queries. */
  static final int RANGES = ACTORS - RANGE + 1;

  private static final String QUERY = "\"of the\"~4";
  private static final int BATCH = 1_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final LoadSettings LOAD =
      new LoadSettings(Duration.ofMillis(250), Duration.ofSeconds(2));

  private final RandomFill fill = new RandomFill();
  private final SearchPlanner planner = new SearchPlanner();
  private final EmbeddedCluster cluster;
  private final TableDefinition table;
  private final List<Plan<SearchResult>> plans;
  private final List<Long> expected;
  private long loaded;

  /** Starts a cluster and loads the given number of documents. */
  RangeTable(Path directory, Corpus corpus, long documents) {
    cluster =
        EmbeddedCluster.start(
            new EmbeddedSettings(directory, SERVERS, List.of(new SearchEngine()), Optional.empty())
                .with(PlacementSettings.DEFAULT, Map.of(RandomFill.NAME, fill))
                .with(LOAD)
                .withWorkers(1));
    table =
        new TableDefinition(
            WikiTable.NAME,
            SearchEngine.NAME,
            new Partitioner.Range(
                IntStream.range(1, ACTORS).mapToObj(actor -> first(actor, documents)).toList()),
            1,
            Durability.NONE,
            WikiTable.schema(WikiTable.WRITE_BUFFER_MEGABYTES));
    cluster.client().createTable(table, TIMEOUT);
    corpus.forEachBatch(BATCH, this::load);
    cluster.client().updateAll(table.name(), new Refresh(), UpdateOptions.DEFAULT);
    plans = IntStream.range(0, RANGES).mapToObj(range -> plan(range, documents)).toList();
    expected = plans.stream().map(this::ask).toList();
  }

  private static String id(long ordinal) {
    return String.format(Locale.ROOT, "%08d", ordinal);
  }

  private static PartitionKey first(int actor, long documents) {
    return PartitionKey.of(id(actor * documents / ACTORS));
  }

  private void load(List<BenchDocument> batch) {
    List<Map<String, Object>> rows = new ArrayList<>(batch.size());
    for (BenchDocument document : batch) {
      Map<String, Object> fields = DocumentFields.of(document);
      fields.put("id", id(loaded++));
      rows.add(fields);
    }
    cluster
        .client()
        .update(
            table.name(), new AddDocuments(), planner.records(table, rows), UpdateOptions.DEFAULT);
  }

  private Plan<SearchResult> plan(int range, long documents) {
    Keys keys =
        new Keys.Range(
            Optional.of(first(range, documents)), Optional.of(first(range + RANGE, documents)));
    SearchRequest count = SearchRequest.of(QUERY).with(Page.first(0)).with(HitContents.ID_ONLY);
    return SearchPlanner.plan(table, count, keys);
  }

  private long ask(Plan<SearchResult> plan) {
    return cluster.client().query(plan, QueryOptions.DEFAULT).total();
  }

  /** Counts the matches in adjacent actors. Fails if the count differs from the first one. */
  void query(int range) {
    long found = ask(plans.get(range));
    if (found != expected.get(range)) {
      throw new BenchException(
          "A query found %d documents instead of %d".formatted(found, expected.get(range)));
    }
  }

  /** Places the actors at random. */
  void shuffle(long seed) {
    fill.seed(seed);
    place(RandomFill.NAME);
  }

  /** Lets a policy decide by the load of the last seconds, and waits until its moves are done. */
  void place(String policy) {
    cluster.client().admin().decidePlacement(Optional.of(policy), true, TIMEOUT);
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (!actors().stream().allMatch(RangeTable::settled)) {
      if (System.nanoTime() > end) {
        throw new BenchException("What " + policy + " decided is not done within " + TIMEOUT);
      }
      pause(Duration.ofMillis(20));
    }
  }

  private List<ActorState> actors() {
    return cluster.client().state().requireTable(table.name()).actors();
  }

  private static boolean settled(ActorState actor) {
    Set<String> servers = actor.copies().stream().map(CopyState::server).collect(toSet());
    return actor.move().isEmpty()
        && actor.copies().stream().allMatch(copy -> copy.status() == CopyState.Status.READY)
        && actor.placed().filter(wish -> !Set.copyOf(wish.servers()).equals(servers)).isEmpty();
  }

  /** Returns the mean number of servers over which a query is spread. */
  double spread() {
    List<String> primaries = actors().stream().map(ActorState::primary).toList();
    return IntStream.range(0, RANGES)
        .mapToLong(range -> primaries.subList(range, range + RANGE).stream().distinct().count())
        .average()
        .orElseThrow();
  }

  static void pause(Duration time) {
    try {
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted", e);
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
