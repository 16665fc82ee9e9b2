package io.uniserve.engines.sharedscan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statements of SQL on a table of three actors. */
class StatementsTest {
  @TempDir private Path directory;
  private final SharedScanPlanner planner = new SharedScanPlanner();
  private LocalTable<SharedScanActor> table;

  private static TableDefinition definition(Consistency consistency) {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("rloc", "varchar(6) not null");
    columns.put("name", "varchar(40)");
    columns.put("seat", "smallint");
    columns.put("class", "enum('F','C','Y')");
    columns.put("fare", "decimal(10,2)");
    columns.put("day", "date");
    columns.put("wheelchair", "boolean");
    return new TableDefinition(
        "tickets",
        SharedScanEngine.NAME,
        new Partitioner.Hash(3),
        1,
        Durability.NONE,
        consistency,
        Map.of("columns", columns, "partitionBy", "rloc"));
  }

  @BeforeEach
  void load() throws IOException {
    table = LocalTable.create(new SharedScanEngine(), definition(Consistency.ORDERED), directory);
    ask(
        "INSERT INTO tickets VALUES"
            + " ('A1', 'Ada Lovelace', 1, 'F', 900.50, '2026-12-01', true),"
            + " ('A1', 'Ada''s mother', 2, 'F', 900.50, '2026-12-01', false),"
            + " ('B2', 'Charles Babbage', 3, 'C', 400, DATE '2026-12-02', false),"
            + " ('C3', NULL, NULL, 'Y', -0.01, '2026-12-03', NULL),"
            + " ('D4', 'Zoë', -5, 'Y', 88.00, '2026-12-03', false)");
  }

  @AfterEach
  void close() {
    table.close();
  }

  private List<?> ask(String sql) {
    return (List<?>)
        ((Map<?, ?>) table.query(planner.plan(table.definition(), sql, Map.of()))).get("rows");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "wheelchair | 1",
        "NOT wheelchair | 3",
        "wheelchair IS NULL | 1",
        "name LIKE 'Ada%' | 2",
        "name = 'Ada''s mother' | 1",
        "name IS NOT NULL AND rloc LIKE 'A%' | 2",
        "seat > -5 AND seat < 3 | 2",
        "seat >= 70000 | 0",
        "seat < 70000 | 4",
        "seat <> 1 | 3",
        "seat NOT IN (1, 2, 70000) | 2",
        "fare = 900.500 | 2",
        "fare > 87.999 | 4",
        "fare < -0.001 | 1",
        "fare BETWEEN 88 AND 400 | 2",
        "class IN ('F', 'C') | 3",
        "class > 'F' | 3",
        "day = '2026-12-03' AND class = 'Y' | 2",
        "rloc = 'TOOLONGFORIT' | 0",
        "rloc < 'B2' | 2",
        "rloc <= 'A1ZZZZZZZZZZ' | 2",
        "'B2' < rloc | 2",
        "(rloc = 'B2' AND seat = 3) | 1",
        "rloc IN ('A1', 'C3', 'X') | 3",
        "seat < 1e999999999 | 4",
        "seat > 1e2147483647 | 0",
        "fare > -1e999999999 | 5",
        "fare > 1e-999999999 | 4",
        "fare < 1e-2147483640 | 1",
        "fare = 1e999999999 | 0",
        "fare IN (88, 1e-999999999) | 1",
      })
  void countsTheRecordsForWhichAConditionHolds(String where, long count) {
    assertThat(ask("select count(*) from tickets where " + where))
        .isEqualTo(List.of(List.of(count)));
  }

  @Test
  void givesRowsInOrder() {
    assertThat(
            ask("SELECT name, seat AS place, fare FROM tickets ORDER BY fare DESC, place LIMIT 3"))
        .isEqualTo(
            List.of(
                List.of("Ada Lovelace", 1L, "900.50"),
                List.of("Ada's mother", 2L, "900.50"),
                List.of("Charles Babbage", 3L, "400.00")));
  }

  @Test
  void aggregatesGroups() {
    assertThat(
            ask(
                "SELECT class, count(*), count(seat), sum(fare), min(name), max(day), avg(seat)"
                    + " FROM tickets GROUP BY class ORDER BY 1"))
        .isEqualTo(
            List.of(
                List.of("F", 2L, 2L, "1801.00", "Ada Lovelace", "2026-12-01", 1.5),
                List.of("C", 1L, 1L, "400.00", "Charles Babbage", "2026-12-02", 3.0),
                List.of("Y", 2L, 1L, "87.99", "Zoë", "2026-12-03", -5.0)));
  }

  @Test
  void aggregatesNothingToNothing() {
    assertThat(ask("SELECT count(*), sum(fare), min(name), avg(seat) FROM tickets WHERE seat = 99"))
        .isEqualTo(List.of(Arrays.asList(0L, null, null, null)));
  }

  @Test
  void changesAndDeletes() {
    assertThat(ask("UPDATE tickets SET class = 'C', seat = NULL WHERE fare > 500"))
        .isEqualTo(List.of(List.of(2L)));
    assertThat(ask("SELECT count(*), count(seat) FROM tickets WHERE class = 'C'"))
        .isEqualTo(List.of(List.of(3L, 1L)));
    assertThat(ask("DELETE FROM tickets WHERE rloc = 'A1'")).isEqualTo(List.of(List.of(2L)));
    assertThat(ask("DELETE FROM tickets")).isEqualTo(List.of(List.of(3L)));
    assertThat(ask("SELECT * FROM tickets")).isEqualTo(List.of());
  }

  @Test
  void explains() {
    assertThat(ask("EXPLAIN SELECT * FROM tickets WHERE rloc = 'A1' AND fare > 5").toString())
        .contains("1 of 3 actors", "rloc, one of 1", "fare, an interval", "last cycle of actor");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT * FROM tickets WHERE seat = 1 OR seat = 2 | no OR",
        "SELECT DISTINCT class FROM tickets | no DISTINCT",
        "SELECT class, count(*) FROM tickets GROUP BY class HAVING count(*) > 1 | no HAVING",
        "SELECT * FROM tickets JOIN others ON 1 = 1 | no join",
        "SELECT upper(name) FROM tickets | no function upper",
        "SELECT seat + 1 FROM tickets | no expression",
        "SELECT * FROM tickets WHERE seat = ? | no parameters",
        "SELECT * FROM tickets WHERE name LIKE '%a' | LIKE '%a'",
        "SELECT * FROM tickets WHERE seat IN (SELECT 1) | no subquery",
        "SELECT * FROM tickets LIMIT 1 OFFSET 2 | no OFFSET",
        "UPDATE tickets SET seat = seat + 1 | no expression in SET",
        "UPDATE tickets SET rloc = 'X' | decides where a record is",
        "DROP TABLE tickets | no DROP",
        "SELECT nothing FROM tickets | no column 'nothing'",
        "SELECT * FROM others | no table 'others'",
        "SELECT name, count(*) FROM tickets | neither in GROUP BY",
        "SELECT * FROM tickets WHERE seat = NULL | use IS NULL",
        "INSERT INTO tickets (rloc, seat) VALUES ('A', 70000) | no smallint: 70000",
        "INSERT INTO tickets (seat) VALUES (1) | column 'rloc' is not null",
        "SELECT * FROM tickets WHERE class = 'X' | no enum",
        "UPDATE tickets SET seat = 'one' | no smallint",
        "UPDATE tickets SET seat = 1, seat = 2 | 'seat' is given twice",
        "INSERT INTO tickets (rloc, rloc) VALUES ('A', 'B') | 'rloc' is given twice",
        "INSERT INTO tickets (rloc, fare) VALUES ('A', 1e999999999) | no decimal",
        "INSERT INTO tickets (rloc, fare) VALUES ('A', 1e2147483647) | no decimal",
        "INSERT INTO tickets (rloc, seat) VALUES ('A', 1e2147483647) | no smallint",
        "INSERT INTO tickets (rloc, fare) VALUES ('A', 1e99999999999) | no number",
        "INSERT INTO tickets (rloc, day) VALUES ('A', '2026-02-30') | no date",
        "SELECT * FROM tickets WHERE day = '2026-02-30' | no date",
        "SELECT * FROM tickets WHERE 5 | comes 'the end'",
        "SELECT * FROM tickets WHERE name = 'Ada | a text that begins after character 35 has no end",
        "SELECT * FROM tickets /* all | a comment that begins",
        "SELECT * FROM tickets WHERE name = 5 | no text: 5",
        "SELECT * FROM tickets WHERE seat | no boolean",
        "SELECT * FROM tickets LIMIT -1 | no number of rows",
        "SELECT * FROM tickets WHERE wheelchair = 'maybe' | no boolean",
        "SELECT @ FROM tickets | has '@ FROM tickets'",
      })
  void refusesByName(String sql, String why) {
    assertThatThrownBy(() -> ask(sql))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining(why);
  }

  @Test
  void takesLongTextsAndLists() {
    String name = "x''".repeat(100_000);
    ask("INSERT INTO tickets (rloc, name) VALUES ('L', '" + "y".repeat(40) + "')");
    assertThat(ask("SELECT rloc FROM tickets WHERE name = '" + name + "'")).isEmpty();
    String seats =
        IntStream.range(0, 10_000).mapToObj(Integer::toString).collect(Collectors.joining(", "));
    assertThat(ask("SELECT count(*) FROM tickets WHERE seat IN (" + seats + ")"))
        .isEqualTo(List.of(List.of(3L)));
    assertThat(ask("SELECT count(*) FROM tickets WHERE seat NOT IN (" + seats + ")"))
        .isEqualTo(List.of(List.of(1L)));
    assertThat(ask("SELECT count(*) FROM tickets " + "-- nothing\n /* nor here */".repeat(10_000)))
        .isEqualTo(List.of(List.of(6L)));
  }

  @Test
  void refusesManyBrackets() {
    assertThat(ask("SELECT * FROM tickets WHERE " + "(".repeat(99) + "seat = 1" + ")".repeat(99)))
        .hasSize(1);
    assertThatThrownBy(() -> ask("SELECT * FROM tickets WHERE " + "(".repeat(200_000)))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("brackets");
  }

  @Test
  void refusesLevelsThatItDoesNotHave() {
    assertThatThrownBy(() -> new SharedScanEngine().validate(definition(Consistency.SNAPSHOT)))
        .hasMessageContaining("has the levels eventual and ordered, not snapshot");
  }

  @Test
  void givesManyRowsFromASnapshot() {
    for (int batch = 0; batch < 10; batch++) {
      StringBuilder sql = new StringBuilder("INSERT INTO tickets (rloc, name) VALUES ");
      for (int i = 0; i < 8_000; i++) {
        sql.append(i == 0 ? "" : ", ")
            .append("('M', 'a name of many that is quite long ")
            .append(batch)
            .append("')");
      }
      ask(sql.toString());
    }
    assertThat(ask("SELECT rloc, name FROM tickets WHERE rloc = 'M'")).hasSize(80_000);
  }
}
