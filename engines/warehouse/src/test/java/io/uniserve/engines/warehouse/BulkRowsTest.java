package io.uniserve.engines.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.sql.backend.RowBlock;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.changes.BulkRows;
import io.uniserve.sql.changes.PutBlocks;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are put in blocks are what they would be if they were put one by one. */
class BulkRowsTest {
  private static final String BOOKS = "select * from book order by id";

  @TempDir Path directory;

  private LocalTable<WarehouseActor> library;

  @BeforeEach
  void open() throws IOException {
    library = Library.open(1, directory.resolve("library"));
  }

  @AfterEach
  void close() {
    library.close();
  }

  @ParameterizedTest(name = "{0} actors")
  @ValueSource(ints = {1, 3, 7})
  void allTablesAreCopiedInBulk(int actors) throws IOException {
    try (LocalTable<WarehouseActor> copy = empty(actors)) {
      for (String table : WarehouseSchema.of(library.definition()).tables().keySet()) {
        put(copy, table, "select * from \"" + table + '"');

        String sql = "select * from " + table + " order by 1, 2, 3";
        String rows =
            table.equals("shelf") || table.equals("nothing") ? sql.replace(", 3", "") : sql;
        assertThat(answer(copy, rows)).as(table).isEqualTo(answer(library, rows));
      }
      for (int actor = 0; actor < actors; actor++) {
        assertThat(shelves(copy, actor)).as("of actor %d", actor).isEqualTo(shelves(library, 0));
      }
    }
  }

  @Test
  void rowsReplaceThoseWithTheirKey() throws IOException {
    try (LocalTable<WarehouseActor> copy = empty(3)) {
      put(copy, "book", "select * replace ('old' as title) from book");
      put(copy, "book", "select * from book");

      assertThat(answer(copy, BOOKS)).isEqualTo(answer(library, BOOKS));
    }
  }

  @Test
  void ofRowsWithOneKeyInOneUpdateTheLastRemains() throws IOException {
    try (LocalTable<WarehouseActor> copy = empty(3)) {
      put(copy, "book", "select * replace ('old' as title) from book union all select * from book");

      assertThat(answer(copy, BOOKS)).isEqualTo(answer(library, BOOKS));
    }
  }

  @Test
  void columnsGoByNameWhateverTheirOrder() throws IOException {
    try (LocalTable<WarehouseActor> copy = empty(3)) {
      put(copy, "book", "select title, * exclude (title) from book");

      assertThat(answer(copy, BOOKS)).isEqualTo(answer(library, BOOKS));
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    assertThatThrownBy(() -> records(library, "book", "select * exclude (price) from book"))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("lack column 'price'");
    assertThatThrownBy(
            () -> records(library, "book", "select * replace (id::integer as id) from book"))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("column 'id' is Int(32, true), not Int(64, true)");
    assertThatThrownBy(
            () -> records(library, "book", "select * replace (null::bigint as id) from book"))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("column 'id' lacks a value");
  }

  @Test
  void itIsToldBeforehandWhatFits() {
    assertThat(fit("select * from book")).isTrue();
    assertThat(fit("select title, * exclude (title) from book")).isTrue();
    assertThat(fit("select * exclude (price) from book")).isFalse();
    assertThat(fit("select *, 1 as more from book")).isFalse();
    assertThat(fit("select * replace (id::integer as id) from book")).isFalse();
    assertThat(fit("select * replace (null::bigint as id) from book")).isFalse();
  }

  private boolean fit(String sql) {
    List<Boolean> fit = new ArrayList<>();
    library
        .actor(0)
        .query(
            List.of(),
            sql,
            new Unhurried(),
            rows -> fit.add(BulkRows.fit(library.definition(), "book", rows)));
    return fit.stream().allMatch(Boolean::booleanValue);
  }

  @Test
  void someOfARowsBatchAreRecordsOfTheirOwn() throws IOException {
    try (LocalTable<WarehouseActor> copy = empty(3)) {
      library
          .actor(0)
          .query(
              List.of(),
              "select * from book",
              new Unhurried(),
              rows -> {
                for (int i = 0; i < rows.getRowCount(); i++) {
                  try (VectorSchemaRoot one = rows.slice(i, 1)) {
                    copy.update(
                        BulkRows.function(), BulkRows.records(copy.definition(), "book", one));
                  }
                }
              });

      assertThat(answer(copy, BOOKS)).isEqualTo(answer(library, BOOKS));
    }
  }

  @Test
  void aBlockOfAnotherTableChangesNothing() {
    ByteBuffer loans = records(library, "loan", "select * from loan").getFirst().rows();
    RowBlock wrong = new RowBlock(PartitionKey.of(1), "book", loans);
    List<RowBlock> some = new ArrayList<>(records(library, "book", "select * from book limit 1"));
    some.add(wrong);
    String before = answer(library, BOOKS);

    assertThatThrownBy(() -> library.update(new PutBlocks(), some))
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    assertThat(answer(library, BOOKS)).isEqualTo(before);
  }

  private LocalTable<WarehouseActor> empty(int actors) throws IOException {
    return LocalTable.create(
        new WarehouseEngine(), Library.definition(actors), directory.resolve("copy-" + actors));
  }

  private void put(LocalTable<WarehouseActor> copy, String table, String sql) {
    copy.update(new PutBlocks(), records(copy, table, sql));
  }

  /** Returns the rows of a query of the library as records of a warehouse. */
  private List<RowBlock> records(LocalTable<WarehouseActor> warehouse, String table, String sql) {
    Partitioner partitioner = warehouse.definition().partitioner();
    List<RowBlock> records = new ArrayList<>();
    library
        .actor(0)
        .query(
            List.of(),
            sql,
            new Unhurried(),
            (VectorSchemaRoot rows) ->
                BulkRows.records(warehouse.definition(), table, rows)
                    .forEach(
                        all ->
                            all.divided(partitioner)
                                .forEach(block -> records.add((RowBlock) block))));
    return records;
  }

  private static String shelves(LocalTable<WarehouseActor> table, int actor) {
    List<String> rows = new ArrayList<>();
    table
        .actor(actor)
        .query(
            List.of(),
            "select * from shelf order by all",
            new Unhurried(),
            some -> rows.add(some.contentToTSVString()));
    return rows.toString();
  }

  private static String answer(LocalTable<WarehouseActor> table, String sql) {
    return table.query(new WarehousePlanner().plan(table.definition(), sql, Map.of())).toString();
  }
}
