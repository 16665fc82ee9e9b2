package io.uniserve.node.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.cluster.Plugins;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of rows that a plug-in reads. */
class FormattedRowsTest {
  @TempDir private Path directory;

  private Path parquet(String query) throws Exception {
    Path file = directory.resolve("Rows.PARQUET");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("COPY (" + query + ") TO '" + file + "' (FORMAT parquet)");
    }
    return file;
  }

  private static RowReader open(Path file, LongAdder read) {
    return FormattedRows.open(
        Plugins.rowFormat(FormattedRows.ending(file)).orElseThrow(), file, read::add);
  }

  @Test
  void givesRowsAsJsonWithTheirPlacesAndTellsHowFarItIs() throws Exception {
    Path file = parquet("select i as id, 'n' || i as name from range(5000) t(i)");
    LongAdder read = new LongAdder();
    List<Item> items = new ArrayList<>();
    try (RowReader rows = open(file, read)) {
      for (Optional<Item> item = rows.next(); item.isPresent(); item = rows.next()) {
        items.add(item.get());
        if (items.size() == 2_500) {
          assertThat(read.sum()).isBetween(Files.size(file) / 3, Files.size(file) * 2 / 3);
        }
      }
    }
    assertThat(read.sum()).isEqualTo(Files.size(file));
    assertThat(items).hasSize(5_000);
    Item.Row last = (Item.Row) items.getLast();
    assertThat(last.place()).hasToString("Rows.PARQUET, row 5000");
    assertThat(new String(last.json(), StandardCharsets.UTF_8))
        .isEqualTo("{\"id\":4999,\"name\":\"n4999\"}");
  }

  @Test
  void namesTheRowOfWhatIsNoDocument() throws Exception {
    Path file = parquet("select case when i = 2 then [i] end as list from range(5) t(i)");
    try (RowReader rows = open(file, new LongAdder())) {
      assertThat(rows.next()).isPresent();
      assertThat(rows.next()).isPresent();
      assertThatThrownBy(rows::next)
          .isInstanceOf(UniserveException.class)
          .hasMessageContaining("Rows.PARQUET, row 3: 'list' has values of type");
    }
  }

  @Test
  void saysThatThereIsNoSuchFile() {
    assertThatThrownBy(() -> open(directory.resolve("none.parquet"), new LongAdder()))
        .hasMessageContaining("there is no file");
  }

  @Test
  void knowsNoOtherFormat() {
    assertThat(Plugins.rowFormat("jsonl")).isEmpty();
  }
}
