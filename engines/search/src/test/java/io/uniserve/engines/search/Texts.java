package io.uniserve.engines.search;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.TestInfo;

/** A table of texts on four actors. Each document has a word of its own, too. */
final class Texts {
  private Texts() {}

  /** An empty one, by a name of the test's own: counts are kept by name. */
  static LocalTable<SearchActor> create(Path directory, TestInfo test) throws IOException {
    Map<String, Object> schema =
        Map.of(
            "refreshIntervalMillis",
            0,
            "defaultField",
            "text",
            "fields",
            Map.of(
                "text", Map.of("type", "text", "stored", true),
                "place", Map.of("type", "long")));
    TableDefinition definition =
        new TableDefinition(
            "texts-" + (test.getTestClass() + test.getDisplayName()).hashCode(),
            SearchEngine.NAME,
            new Partitioner.Hash(4),
            1,
            Durability.NONE,
            schema);
    return LocalTable.create(new SearchEngine(), definition, directory);
  }

  /** Adds or replaces {@code d<from>} and those that follow it, before {@code to}. */
  static void add(LocalTable<SearchActor> table, int from, int to, String text) {
    List<Document> documents =
        IntStream.range(from, to)
            .mapToObj(
                i -> new Document("d" + i, Map.of("text", text + " no" + i, "place", (long) i)))
            .toList();
    table.update(new AddDocuments(), documents);
  }
}
