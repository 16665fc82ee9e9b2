package io.uniserve.engines.warehouse;

import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** DuckDB's functions give on several actors what they give in one DuckDB with all the data. */
class FunctionsTest {
  private static LocalTable<WarehouseActor> one;
  private static LocalTable<WarehouseActor> several;

  @TempDir static Path directory;

  @BeforeAll
  static void open() throws IOException {
    one = Library.open(1, directory.resolve("one"));
    several = Library.open(4, directory.resolve("four"));
  }

  @AfterAll
  static void close() {
    one.close();
    several.close();
  }

  static Stream<String> scalars() {
    return StatementsTest.lines("/sql/scalars.sql");
  }

  static Stream<String> aggregates() {
    return StatementsTest.lines("/sql/aggregates.sql");
  }

  @ParameterizedTest
  @MethodSource("scalars")
  void aFunctionOfARow(String line) {
    String table = line.startsWith("loan: ") ? "loan" : "book";
    String key = table.equals("book") ? "id" : "book_id";
    String expression = line.replace("loan: ", "");
    check("select " + key + ", " + expression + " from " + table);
    check("select distinct " + expression + " as e from " + table);
    check(
        "select a.%s, %s from %s a join shelf s on a.%s = s.floor"
            .formatted(key, expression, table, key));
  }

  @ParameterizedTest
  @MethodSource("aggregates")
  void aFunctionOfAGroup(String expression) {
    check("select " + expression + " from book");
    check("select shelf, " + expression + " from book group by shelf");
    check("select id, " + expression + " from book group by id");
    check("select " + expression + " from book where id > 1000000");
  }

  private static void check(String sql) {
    List<String> expected = StatementsTest.reference(one, sql);
    StatementsTest.check(
        several, sql, expected, new WarehousePlanner().plan(several.definition(), sql, Map.of()));
    StatementsTest.check(
        several, sql, expected, StatementsTest.asIfLarge(several.definition(), sql));
  }
}
