package io.uniserve.backends.monetdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.engines.warehouse.StatementsTest;
import io.uniserve.engines.warehouse.Tpch;
import io.uniserve.engines.warehouse.TpchTest;
import io.uniserve.engines.warehouse.WarehouseActor;
import io.uniserve.engines.warehouse.WarehouseEngine;
import io.uniserve.engines.warehouse.WarehousePlanner;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All 22 queries, unmodified, on actors in MonetDB: as in one DuckDB, and as published. */
@Tag("native")
class MonetTpchTest {
  private static final int COUNTS_TEXTS_MADE_AT_RANDOM = 13;
  private static final Map<Integer, LocalTable<WarehouseActor>> TABLES = new LinkedHashMap<>();
  private static LocalTable<WarehouseActor> reference;

  @TempDir static Path directory;

  @BeforeAll
  static void load() throws IOException {
    double scale = Double.parseDouble(TpchTest.SCALE);
    reference = Tpch.load(new WarehouseEngine(), 1, scale, directory.resolve("reference"));
    for (int actors : List.of(1, 4, 7)) {
      TABLES.put(
          actors, Tpch.load(new MonetEngine(), actors, scale, directory.resolve("on-" + actors)));
    }
  }

  @AfterAll
  static void close() {
    reference.close();
    TABLES.values().forEach(LocalTable::close);
  }

  static Stream<Arguments> queries() {
    return IntStream.rangeClosed(1, 22)
        .boxed()
        .flatMap(query -> Stream.of(1, 4, 7).map(actors -> Arguments.of(query, actors)));
  }

  @ParameterizedTest(name = "query {0} on {1} actors")
  @MethodSource("queries")
  void aQueryGivesWhatOneDuckDbGivesAndWhatIsPublished(int query, int actors) {
    LocalTable<WarehouseActor> table = TABLES.get(actors);

    check(
        query,
        table.query(
            new WarehousePlanner(MonetSql.INSTANCE)
                .plan(table.definition(), Tpch.query(query), Map.of())));
  }

  @ParameterizedTest(name = "query {0} on {1} actors")
  @MethodSource("queries")
  void aQueryGivesTheSameIfAllIsShuffledThatCanBe(int query, int actors) {
    LocalTable<WarehouseActor> table = TABLES.get(actors);
    String sql = Tpch.query(query).strip().replaceAll(";$", "");

    check(query, table.query(StatementsTest.asIfLarge(table.definition(), MonetSql.INSTANCE, sql)));
  }

  private static void check(int query, Object answer) {
    List<List<Object>> rows = TpchTest.rows(answer);
    assertThat(rows)
        .usingElementComparator(TpchTest::compare)
        .containsExactlyElementsOf(
            TpchTest.reference(reference, query, Tpch.heads(query, TpchTest.SCALE)));
    if (query != COUNTS_TEXTS_MADE_AT_RANDOM) {
      TpchTest.checkPublished(query, rows);
    }
  }
}
