package io.uniserve.engines.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A warehouse tells what tables and columns it has. */
class InformationSchemaTest {
  private static LocalTable<WarehouseActor> library;

  @TempDir static Path directory;

  @BeforeAll
  static void open() throws IOException {
    library = Library.open(3, directory);
  }

  @AfterAll
  static void close() {
    library.close();
  }

  private static List<String> answer(String sql) {
    return StatementsTest.answer(library, sql);
  }

  @Test
  void showTablesNamesThem() {
    assertThat(answer("show tables"))
        .containsExactly("[book]", "[loan]", "[log]", "[nothing]", "[reader]", "[shelf]");
    assertThat(answer("SHOW TABLES;")).hasSize(6);
    assertThat(
            answer(
                "select table_schema, table_name from information_schema.tables order by 2 limit 1"))
        .containsExactly("[library, book]");
  }

  @Test
  void describeTellsColumnsTypesAndKeys() {
    List<String> expected =
        List.of(
            "[book_id, BIGINT, NO, PRI, null, null]",
            "[reader_id, BIGINT, NO, PRI, null, null]",
            "[since, TIMESTAMP, NO, PRI, null, null]",
            "[days, INTEGER, YES, null, null, null]");
    assertThat(answer("describe loan")).isEqualTo(expected);
    assertThat(answer("show loan")).isEqualTo(expected);
    assertThat(answer("DESC library.Loan;")).isEqualTo(expected);
  }

  @Test
  void itsTablesAreReadAsAnyOthers() {
    assertThat(
            answer(
                "select t.table_name, count(*) n, max(numeric_scale) from information_schema.tables t"
                    + " join information_schema.columns c on t.table_name = c.table_name"
                    + " where data_type like 'DECIMAL%' group by t.table_name order by 1"))
        .containsExactly("[book, 2, 2]", "[reader, 1, 4]");
    assertThat(answer("select schema_name from information_schema.schemata order by 1"))
        .containsExactly("[information_schema]", "[library]");
    assertThat(
            answer(
                "select count(*) from book, information_schema.tables where table_name = 'book'"))
        .containsExactly("[40]");
  }

  @Test
  void whatThereIsNotCannotBeDescribed() {
    assertThatThrownBy(() -> answer("describe nowhere"))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("nowhere");
  }
}
