package io.uniserve.engines.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.testkit.local.LocalTable;
import io.uniserve.textindex.codec.SparseNormsCodec;
import io.uniserve.textindex.query.QueryText;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the documents that are accepted, their visibility, and their deletion. */
class UpdatesTest {
  @TempDir private Path directory;

  private static TableDefinition table(long refreshIntervalMillis) {
    return table(
        Map.of(
            "refreshIntervalMillis",
            refreshIntervalMillis,
            "fields",
            Map.of(
                "title", Map.of("type", "text"),
                "tag", Map.of("type", "keyword"),
                "year", Map.of("type", "long"),
                "price", Map.of("type", "double"),
                "day", Map.of("type", "date"),
                "*_s", Map.of("type", "keyword", "multiValued", true))));
  }

  private static TableDefinition table(Map<String, Object> schema) {
    return new TableDefinition(
        "things", SearchEngine.NAME, new Partitioner.Hash(2), 1, Durability.NONE, schema);
  }

  private static long count(LocalTable<SearchActor> table, String query) {
    SearchRequest request = SearchRequest.of(query).with(Page.first(0));
    return table.query(SearchPlanner.plan(table.definition(), request)).total();
  }

  private static Document thing(String id, Object... fields) {
    return new Document(id, Map.of((String) fields[0], fields[1]));
  }

  /**
   * Checks that segments use the codec. Its results have their own test; no test would show that it
   * is missing, since writing only takes longer.
   */
  @Test
  void segmentsAreWrittenWithTheCodecThatLooksLengthsUp() throws IOException {
    try (var table = LocalTable.create(new SearchEngine(), table(0), directory)) {
      table.update(new AddDocuments(), List.of(thing("a", "year", 1)));
      SearchActor actor =
          table.actor(table.definition().partitioner().actorOf(new DocumentId("a").partitionKey()));
      DirectoryReader reader = actor.acquire();
      try {
        SegmentReader segment = (SegmentReader) reader.leaves().getFirst().reader();
        assertThat(segment.getSegmentInfo().info.getCodec()).isInstanceOf(SparseNormsCodec.class);
      } finally {
        actor.release(reader);
      }
    }
  }

  @Test
  void documentsAreAddedReplacedAndDeleted() throws IOException {
    try (var table = LocalTable.create(new SearchEngine(), table(0), directory)) {
      table.update(
          new AddDocuments(),
          List.of(thing("a", "year", 1), thing("b", "year", 2), thing("c", "year", 3)));
      table.update(
          new AddDocuments(),
          List.of(thing("b", "year", 20), thing("d", "year", 4), thing("d", "year", 40)));
      assertThat(count(table, "*:*")).isEqualTo(4);
      assertThat(count(table, "year:2")).isZero();
      assertThat(count(table, "year:(20 40)")).isEqualTo(2);

      table.update(new DeleteById(), List.of(new DocumentId("a"), new DocumentId("nobody")));
      assertThat(count(table, "*:*")).isEqualTo(3);

      table.updateAll(new DeleteByQuery(QueryText.lucene("year:[10 TO *]")));
      assertThat(count(table, "*:*")).isEqualTo(1);
      assertThatThrownBy(() -> table.updateAll(new DeleteByQuery(QueryText.lucene("title:x~1"))))
          .extracting(failure -> ((UniserveException) failure).code())
          .isEqualTo(ErrorCode.UNSUPPORTED);
      table.updateAll(new DeleteByQuery(QueryText.lucene("*:*")));
      assertThat(count(table, "*:*")).isZero();
    }
  }

  /** The segment still has its words, and the index counts by them where nothing was deleted. */
  @Test
  void aDeletedDocumentIsNotCountedByItsWords() throws IOException {
    try (var table = LocalTable.create(new SearchEngine(), table(0), directory)) {
      List<Document> things =
          IntStream.range(0, 20).mapToObj(i -> thing("a" + i, "tag", "red")).toList();
      table.update(new AddDocuments(), things);
      assertThat(count(table, "tag:red")).isEqualTo(20);

      table.update(new DeleteById(), List.of(new DocumentId("a7")));
      assertThat(count(table, "tag:red")).isEqualTo(19);
    }
  }

  @Test
  void aChangeIsSeenAfterARefresh() throws IOException {
    try (var table = LocalTable.create(new SearchEngine(), table(3_600_000), directory)) {
      table.update(new AddDocuments(), List.of(thing("a", "year", 1), thing("b", "year", 1)));
      assertThat(count(table, "*:*")).isZero();

      table.updateAll(new Refresh());
      assertThat(count(table, "*:*")).isEqualTo(2);
    }
  }

  @Test
  @Timeout(30)
  void aChangeBecomesVisibleByItself() throws IOException {
    try (var table = LocalTable.create(new SearchEngine(), table(20), directory)) {
      for (int i = 1; i <= 3; i++) {
        table.update(new AddDocuments(), List.of(thing("a" + i, "year", i)));
        while (count(table, "*:*") < i) {
          Thread.onSpinWait();
        }
      }
    }
  }

  @Test
  void fieldsMayBeGivenByPattern() throws IOException {
    try (var table = LocalTable.create(new SearchEngine(), table(0), directory)) {
      table.update(new AddDocuments(), List.of(thing("a", "colour_s", List.of("red", "blue"))));

      assertThat(count(table, "colour_s:blue")).isEqualTo(1);
      assertThatThrownBy(() -> count(table, "colour:blue")).hasMessageContaining("'colour'");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "year, soon", "year, 1.5", "year, 9223372036854775808", "price, cheap", "price, NaN",
    "price, 1e999", "day, yesterday", "day, 2015-02-30", "colour, red", "id, 7",
  })
  void whatTheSchemaRefusesIsNamed(String field, String value) throws IOException {
    try (var table = LocalTable.create(new SearchEngine(), table(0), directory)) {
      List<Document> batch =
          List.of(thing("a", "year", 1), thing("b", field, value), thing("c", "year", 1));

      assertThatThrownBy(() -> table.update(new AddDocuments(), batch))
          .isInstanceOf(RejectedRowException.class)
          .hasMessageContaining("'b'")
          .hasMessageContaining("'" + field + "'");
      assertThat(count(table, "id:b")).isZero();
    }
  }

  @Test
  void structuresAndListsAreRefusedWhereTheyDoNotBelong() throws IOException {
    try (var table = LocalTable.create(new SearchEngine(), table(0), directory)) {
      for (Object value : List.of(List.of("a", "b"), Map.of("a", 1), "x".repeat(40_000))) {
        assertThatThrownBy(
                () -> table.update(new AddDocuments(), List.of(thing("a", "tag", value))))
            .hasMessageContaining("'tag'");
      }
      table.update(
          new AddDocuments(),
          List.of(
              thing("a", "title", "word ".repeat(40_000)),
              thing("b", "title", "x".repeat(40_000)),
              thing("c", "tag", 5),
              thing("d", "year", "1950")));
      assertThat(count(table, "*:*")).isEqualTo(4);
      assertThat(count(table, "tag:5 year:1950")).isEqualTo(2);
    }
  }

  @Test
  void rowsBecomeDocuments() {
    SearchPlanner planner = new SearchPlanner();

    List<Document> documents =
        planner.records(table(0), List.of(Map.of("id", 7, "year", "1950"), Map.of("id", "x")));

    assertThat(documents)
        .containsExactly(new Document("7", Map.of("year", "1950")), new Document("x", Map.of()));
    assertRejected(1, "id", Map.of("year", 1));
    assertRejected(1, "id", Map.of("id", ""));
    assertRejected(1, "x".repeat(100), Map.of("id", "x".repeat(600)));
    assertRejected(1, "soon", Map.of("id", "x", "year", "soon"));
  }

  private static void assertRejected(int row, String named, Map<String, Object> second) {
    assertThatThrownBy(
            () -> new SearchPlanner().records(table(0), List.of(Map.of("id", "ok"), second)))
        .isInstanceOf(RejectedRowException.class)
        .hasMessageContaining(named)
        .extracting(failure -> ((RejectedRowException) failure).row())
        .isEqualTo(row);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "type | number",
        "analyzer | klingon",
        "stored | maybe",
        "colour | red",
        "copyTo | nowhere",
        "sortable | true",
        "facet | true",
      })
  void aWrongSettingOfAFieldIsNamed(String setting, String value) {
    Object typed = value.equals("true") ? (Object) true : value;
    Map<String, Object> field = Map.of(setting, typed);

    assertThatThrownBy(
            () -> new SearchEngine().validate(table(Map.of("fields", Map.of("body", field)))))
        .isInstanceOf(UniserveException.class)
        .message()
        .containsAnyOf(setting, value);
  }

  @Test
  void aWrongSchemaIsNamed() {
    assertWrong(Map.of("defaultField", "nothing"), "nothing");
    assertWrong(Map.of("refreshIntervalMillis", -1), "refreshIntervalMillis");
    assertWrong(Map.of("refreshIntervalMillis", "often"), "often");
    assertWrong(Map.of("felds", Map.of()), "felds");
    assertWrong(Map.of("fields", List.of()), "fields");
    assertWrong(Map.of("fields", Map.of("a b", Map.of())), "a b");
    assertWrong(Map.of("fields", Map.of("id", Map.of())), "id");
    assertWrong(Map.of("fields", Map.of("score", Map.of())), "score");
    assertWrong(Map.of("fields", Map.of("*", Map.of())), "*");
    assertWrong(Map.of("fields", Map.of("a", "text")), "text");
  }

  private static void assertWrong(Map<String, Object> schema, String named) {
    assertThatThrownBy(() -> new SearchEngine().validate(table(schema)))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining(named)
        .extracting(failure -> ((UniserveException) failure).code())
        .isIn(ErrorCode.INVALID_ARGUMENT, ErrorCode.NOT_FOUND);
  }

  @Test
  void textOptionsMakeASearch() throws IOException {
    try (var table = LocalTable.create(new SearchEngine(), table(0), directory)) {
      table.update(
          new AddDocuments(),
          List.of(thing("a", "year", 1), thing("b", "year", 2), thing("c", "year", 3)));
      SearchPlanner planner = new SearchPlanner();
      Map<?, ?> found =
          (Map<?, ?>)
              table.query(
                  planner.plan(
                      table.definition(),
                      "*:*",
                      Map.of(
                          "sort",
                          "year desc",
                          "rows",
                          "2",
                          "filter",
                          "year:[1 TO 2]",
                          "facets",
                          "year",
                          "fields",
                          "year")));

      assertThat(found.get("total")).isEqualTo(2L);
      assertThat((List<?>) found.get("hits"))
          .extracting(hit -> ((Map<?, ?>) hit).get("id"))
          .isEqualTo(List.of("b", "a"));
      assertThat(found.get("facets")).isEqualTo(Map.of("year", Map.of("1", 1L, "2", 1L)));
      for (String[] wrong :
          new String[][] {
            {"rows", "many"},
            {"rows", "-5"},
            {"offset", "99999999999"},
            {"sort", "year"},
            {"sort", "year up"},
            {"cursor", "%%"},
            {"colour", "red"},
            {"fields", "plot"}
          }) {
        assertThatThrownBy(
                () -> planner.plan(table.definition(), "*:*", Map.of(wrong[0], wrong[1])))
            .as(wrong[0])
            .isInstanceOf(UniserveException.class);
      }
    }
  }
}
