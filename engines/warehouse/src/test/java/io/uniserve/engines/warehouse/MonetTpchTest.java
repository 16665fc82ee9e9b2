package io.uniserve.engines.warehouse;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.testkit.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All 22 queries, unmodified, on actors in MonetDB: as in one DuckDB, and as published. */
class MonetTpchTest {
  private static final int COUNTS_TEXTS_MADE_AT_RANDOM = 13;
  private static LocalTable<WarehouseActor> reference;
  private static LocalTable<WarehouseActor> one;
  private static LocalTable<WarehouseActor> four;

  @TempDir static Path directory;

  @BeforeAll
  static void load() throws IOException {
    double scale = Double.parseDouble(TpchTest.SCALE);
    reference = Tpch.load(new WarehouseEngine(), 1, scale, directory.resolve("reference"));
    one = Tpch.load(new MonetEngine(), 1, scale, directory.resolve("one"));
    four = Tpch.load(new MonetEngine(), 4, scale, directory.resolve("four"));
  }

  @AfterAll
  static void close() {
    List.of(reference, one, four).forEach(LocalTable::close);
  }

  static Stream<Arguments> queries() {
    return IntStream.rangeClosed(1, 22)
        .boxed()
        .flatMap(query -> Stream.of(1, 4).map(actors -> Arguments.of(query, actors)));
  }

  @ParameterizedTest(name = "query {0} on {1} actors")
  @MethodSource("queries")
  void aQueryGivesWhatOneDuckDbGivesAndWhatIsPublished(int query, int actors) {
    List<List<Object>> rows = TpchTest.answer(actors == 1 ? one : four, Tpch.query(query));

    check(query, rows);
  }

  @ParameterizedTest(name = "query {0}")
  @MethodSource("numbers")
  void aQueryGivesTheSameIfAllIsShuffledThatCanBe(int query) {
    String sql = Tpch.query(query).strip().replaceAll(";$", "");

    check(query, TpchTest.rows(four.query(StatementsTest.asIfLarge(four.definition(), sql))));
  }

  static IntStream numbers() {
    return IntStream.rangeClosed(1, 22);
  }

  private static void check(int query, List<List<Object>> rows) {
    assertThat(rows)
        .usingElementComparator(TpchTest::compare)
        .containsExactlyElementsOf(
            TpchTest.reference(reference, query, Tpch.heads(query, TpchTest.SCALE)));
    if (query != COUNTS_TEXTS_MADE_AT_RANDOM) {
      TpchTest.checkPublished(query, rows);
    }
  }
}
