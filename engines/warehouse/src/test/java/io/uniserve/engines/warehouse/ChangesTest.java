package io.uniserve.engines.warehouse;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.sql.backend.ChangeName;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.changes.RewriteRows;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Statements that change rows do on several actors what one DuckDB with all the data does: one
 * after another, in the order of the file.
 */
class ChangesTest {
  private static LocalTable<WarehouseActor> reference;
  private static List<LocalTable<WarehouseActor>> many;

  @TempDir static Path directory;

  @BeforeAll
  static void open() throws IOException {
    reference = Library.open(1, directory.resolve("reference"));
    many = new ArrayList<>();
    for (int actors : List.of(1, 3, 11)) {
      many.add(Library.open(actors, directory.resolve("on-" + actors)));
    }
  }

  @AfterAll
  static void close() {
    reference.close();
    many.forEach(LocalTable::close);
  }

  static Stream<String> changes() {
    return StatementsTest.lines("/sql/changes.sql");
  }

  @ParameterizedTest
  @MethodSource("changes")
  void aChangeDoesWhatItDoesInOneDatabase(String sql) {
    Object expected = reference.updateAll(new RewriteRows(ChangeName.next(), sql)).getFirst();
    for (LocalTable<WarehouseActor> table : many) {
      List<?> answer = StatementsTest.answer(table, sql);
      assertThat(answer).as("rows changed").isEqualTo(List.of("[" + expected + "]"));
      for (String name : WarehouseSchema.of(table.definition()).tables().keySet()) {
        assertThat(rows(table, name)).as(name).isEqualTo(rows(reference, name));
      }
      assertThat(shelves(table)).as("every copy of a replicated table").hasSize(1);
    }
  }

  private static List<String> rows(LocalTable<WarehouseActor> table, String name) {
    return StatementsTest.answer(table, "select * from " + name).stream().sorted().toList();
  }

  /** Returns each actor's rows of a replicated table, which are equal. */
  private static List<List<String>> shelves(LocalTable<WarehouseActor> table) {
    return IntStream.range(0, table.definition().actors())
        .mapToObj(number -> rowsOf(table.actor(number)))
        .distinct()
        .toList();
  }

  private static List<String> rowsOf(WarehouseActor actor) {
    List<String> rows = new ArrayList<>();
    actor.query(
        List.of(),
        "SELECT code || coalesce(floor, -1) FROM shelf ORDER BY 1",
        new Unhurried(),
        batch -> {
          for (int i = 0; i < batch.getRowCount(); i++) {
            rows.add(batch.getVector(0).getObject(i).toString());
          }
        });
    return rows;
  }
}
