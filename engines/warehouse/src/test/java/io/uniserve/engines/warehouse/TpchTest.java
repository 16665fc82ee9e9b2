package io.uniserve.engines.warehouse;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.backends.duckdb.ClientStage;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.backend.Broadcast;
import io.uniserve.sql.backend.LastStage;
import io.uniserve.sql.planner.DistributedQuery.Column;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All 22 queries, unmodified, on however many actors, give what one DuckDB with all the data gives,
 * and the published answers. Of these, the texts that the generators of TPC-H make up at random
 * (addresses and comments) differ between generators, so what depends on them is only compared with
 * DuckDB.
 */
public class TpchTest {
  /** The scale factor. */
  public static final String SCALE = System.getProperty("tpch.scale", "0.01");

  /** The query that counts words of comments, which are made at random. */
  private static final int COUNTS_COMMENTS = 13;

  private static final BigDecimal TOLERANCE = new BigDecimal("0.01");
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE]-?\\d+)?");
  private static final Map<Integer, LocalTable<WarehouseActor>> TABLES = new LinkedHashMap<>();
  private static final Map<Integer, List<List<Object>>> REFERENCES = new ConcurrentHashMap<>();

  @TempDir static Path directory;

  @BeforeAll
  static void load() throws IOException {
    for (int actors : List.of(1, 4, 7)) {
      TABLES.put(
          actors,
          Tpch.load(
              new WarehouseEngine(),
              actors,
              Double.parseDouble(SCALE),
              directory.resolve("on-" + actors)));
    }
  }

  @AfterAll
  static void close() {
    TABLES.values().forEach(LocalTable::close);
  }

  static Stream<Arguments> queries() {
    return IntStream.rangeClosed(1, 22)
        .boxed()
        .flatMap(query -> Stream.of(1, 4, 7).map(actors -> Arguments.of(query, actors)));
  }

  @ParameterizedTest(name = "query {0} on {1} actors")
  @MethodSource("queries")
  void aQueryGivesWhatOneDatabaseGivesAndThePublishedAnswer(int query, int actors) {
    List<List<Object>> rows = answer(query, actors);

    assertThat(rows)
        .usingElementComparator(TpchTest::compare)
        .containsExactlyElementsOf(reference(query, Tpch.heads(query, SCALE)));
    if (query != COUNTS_COMMENTS) {
      checkPublished(query, rows);
    }
  }

  @ParameterizedTest(name = "query {0} on {1} actors")
  @MethodSource("queries")
  void aQueryGivesTheSameIfAllIsShuffledThatCanBe(int query, int actors) {
    LocalTable<WarehouseActor> table = TABLES.get(actors);
    String sql = Tpch.query(query).strip().replaceAll(";$", "");

    assertThat(rows(table.query(StatementsTest.asIfLarge(table.definition(), sql))))
        .usingElementComparator(TpchTest::compare)
        .containsExactlyElementsOf(reference(query, Tpch.heads(query, SCALE)));
    assertThat(rows(table.query(StatementsTest.asIfUneven(table.definition(), sql))))
        .usingElementComparator(TpchTest::compare)
        .containsExactlyElementsOf(reference(query, Tpch.heads(query, SCALE)));
  }

  /** Zero if two rows are the same, but for the last digits of numbers. */
  public static int compare(List<Object> row, List<Object> other) {
    for (int i = 0; i < row.size(); i++) {
      if (!same(text(row.get(i)), text(other.get(i)))) {
        return 1;
      }
    }
    return Integer.compare(row.size(), other.size());
  }

  private static List<List<Object>> reference(int query, List<String> heads) {
    return REFERENCES.computeIfAbsent(query, missing -> reference(TABLES.get(1), missing, heads));
  }

  /** Returns the answer of the one actor of a table in DuckDB. */
  public static List<List<Object>> reference(
      LocalTable<WarehouseActor> one, int query, List<String> heads) {
    List<ByteBuffer> blocks = new ArrayList<>();
    String sql = Tpch.query(query).strip().replaceAll(";$", "");
    one.actor(0).query(List.of(), sql, new Unhurried(), rows -> blocks.add(Blocks.of(rows)));
    List<Column> columns =
        IntStream.range(0, heads.size()).mapToObj(i -> new Column(heads.get(i), i)).toList();
    return rows(
        ClientStage.answer(
            new LastStage("FROM rows", List.of(new Broadcast("rows", blocks)), columns, false),
            Duration.ofMinutes(10)));
  }

  /** Compares with the published answer all that does not depend on made-up texts. */
  public static void checkPublished(int query, List<List<Object>> rows) {
    List<String> heads = Tpch.heads(query, SCALE);
    List<List<String>> expected = Tpch.answer(query, SCALE);

    assertThat(rows).as("rows").hasSize(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      for (int j = 0; j < heads.size(); j++) {
        String actual = text(rows.get(i).get(j));
        assertThat(
                heads.get(j).matches(".*_(address|comment)")
                    || same(actual, expected.get(i).get(j)))
            .as(
                "row %d, column %s: %s instead of %s",
                i, heads.get(j), actual, expected.get(i).get(j))
            .isTrue();
      }
    }
  }

  /** Sketches are merged, so their answer does not depend on the actors; it is nearly right. */
  @ParameterizedTest(name = "by {0}")
  @ValueSource(strings = {"l_partkey", "l_comment", "l_shipdate", "l_linenumber"})
  void anApproximateCountIsTheSameOnAnyActorsAndNearTheCount(String column) {
    String sql = "select approx_count_distinct(" + column + ") from lineitem";
    long exact = number(answer("select count(distinct " + column + ") from lineitem", 4));

    assertThat((double) number(answer(sql, 4))).isCloseTo(exact, Percentage.withPercentage(7));
    assertThat(answer(sql, 7)).isEqualTo(answer(sql, 4)).isEqualTo(answer(sql, 1));
  }

  private static long number(List<List<Object>> rows) {
    return (Long) rows.getFirst().getFirst();
  }

  @Test
  void approximateCountsOfGroupsKnowEmptyOnes() {
    String sql =
        "select s, approx_count_distinct(case when s = 'O' then null else k end)"
            + " from (select o_orderstatus s, o_orderpriority k from orders) x group by s order by s";

    assertThat(answer(sql, 7)).hasToString("[[F, 5], [O, 0], [P, 5]]");
  }

  private static List<List<Object>> answer(int query, int actors) {
    return answer(Tpch.query(query), actors);
  }

  private static List<List<Object>> answer(String sql, int actors) {
    LocalTable<WarehouseActor> table = TABLES.get(actors);
    return rows(table.query(new WarehousePlanner().plan(table.definition(), sql, Map.of())));
  }

  /** The rows of an answer. */
  @SuppressWarnings("unchecked")
  public static List<List<Object>> rows(Object answer) {
    return (List<List<Object>>) ((Map<?, ?>) answer).get("rows");
  }

  private static String text(Object value) {
    return value == null ? "" : value.toString();
  }

  private static boolean same(String actual, String expected) {
    return actual.equals(expected)
        || NUMBER.matcher(actual).matches()
            && NUMBER.matcher(expected).matches()
            && new BigDecimal(actual).subtract(new BigDecimal(expected)).abs().compareTo(TOLERANCE)
                <= 0;
  }
}
