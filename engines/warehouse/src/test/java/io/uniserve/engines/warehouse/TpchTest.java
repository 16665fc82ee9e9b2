package io.uniserve.engines.warehouse;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.testkit.LocalTable;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All 22 queries, unmodified, give the published answers, on however many actors. */
class TpchTest {
  private static final String SCALE = System.getProperty("tpch.scale", "0.01");
  private static final BigDecimal TOLERANCE = new BigDecimal("0.01");
  private static final Map<Integer, LocalTable<WarehouseActor>> TABLES = new LinkedHashMap<>();

  @TempDir static Path directory;

  @BeforeAll
  static void load() throws IOException {
    for (int actors : List.of(1, 4, 7)) {
      TABLES.put(actors, Tpch.load(actors, Double.parseDouble(SCALE), directory.resolve("on-" + actors)));
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
  void aQueryGivesThePublishedAnswer(int query, int actors) {
    LocalTable<WarehouseActor> table = TABLES.get(actors);
    Object answer = table.query(new WarehousePlanner().plan(table.definition(), Tpch.query(query), Map.of()));

    List<?> rows = (List<?>) ((Map<?, ?>) answer).get("rows");
    List<List<String>> expected = Tpch.answer(query, SCALE);
    assertThat(rows).as("rows").hasSize(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      List<?> row = (List<?>) rows.get(i);
      assertThat(row).hasSize(expected.get(i).size());
      for (int j = 0; j < row.size(); j++) {
        assertSame(row.get(j), expected.get(i).get(j), "row " + i + ", column " + j);
      }
    }
  }

  private static void assertSame(Object actual, String expected, String where) {
    String text = String.valueOf(actual);
    if (!text.equals(expected)) {
      assertThat(new BigDecimal(text)).as(where).isCloseTo(new BigDecimal(expected), org.assertj.core.data.Offset.offset(TOLERANCE));
    }
  }
}
