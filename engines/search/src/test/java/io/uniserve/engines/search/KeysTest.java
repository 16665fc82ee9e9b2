package io.uniserve.engines.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.testkit.local.LocalTable;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchRequest.Statistics;
import io.uniserve.textindex.request.SearchResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A search of some keys asks the actors that hold them, and scores as a search of all. */
class KeysTest {
  @TempDir private Path directory;

  /** Forty documents, ten in each actor; {@code war} in all, {@code peace} in the last ten. */
  private LocalTable<SearchActor> table() throws IOException {
    TableDefinition definition =
        new TableDefinition(
            "ranges",
            SearchEngine.NAME,
            new Partitioner.Range(
                List.of(PartitionKey.of("d10"), PartitionKey.of("d20"), PartitionKey.of("d30"))),
            1,
            Durability.NONE,
            Map.of(
                "refreshIntervalMillis",
                0,
                "defaultField",
                "text",
                "fields",
                Map.of("text", Map.of("type", "text"))));
    LocalTable<SearchActor> table = LocalTable.create(new SearchEngine(), definition, directory);
    table.update(
        new AddDocuments(),
        IntStream.range(0, 40)
            .mapToObj(
                i -> {
                  String text = "war" + (i % 3 == 0 ? " war" : "") + (i < 30 ? "" : " peace");
                  return new Document("d%02d".formatted(i), Map.of("text", text));
                })
            .toList());
    return table;
  }

  private static Keys keys(String from, String to) {
    return new Keys.Range(Optional.of(PartitionKey.of(from)), Optional.of(PartitionKey.of(to)));
  }

  private static SearchResult search(
      LocalTable<SearchActor> table, Statistics statistics, Keys keys) {
    SearchRequest request = SearchRequest.of("war peace").with(statistics);
    return table.query(SearchPlanner.plan(table.definition(), request, keys));
  }

  @ParameterizedTest
  @EnumSource(Statistics.class)
  void searchesOnlyActorsThatHoldThem(Statistics statistics) throws IOException {
    try (LocalTable<SearchActor> table = table()) {
      assertThat(search(table, statistics, keys("d10", "d30")).total()).isEqualTo(20);
      assertThat(search(table, statistics, keys("d12", "d13")).total()).isEqualTo(10);
      assertThat(search(table, statistics, Keys.ALL).total()).isEqualTo(40);
    }
  }

  @Test
  void scoresWithTheWordsOfTheWholeTable() throws IOException {
    try (LocalTable<SearchActor> table = table()) {
      Map<String, Float> all = scores(search(table, Statistics.GLOBAL, Keys.ALL));
      SearchResult some = search(table, Statistics.GLOBAL, keys("d30", "d40"));
      assertThat(some.hits()).hasSize(10);
      assertThat(scores(some)).isEqualTo(all); // the best ten of all are those with both words
    }
  }

  private static Map<String, Float> scores(SearchResult result) {
    Map<String, Float> scores = new TreeMap<>();
    result.hits().forEach(hit -> scores.put(hit.id(), hit.score()));
    return scores;
  }
}
