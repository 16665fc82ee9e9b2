package io.uniserve.engines.warehouse;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.sql.algebra.ColumnRange;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.stages.TableSizes;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SizesTest {
  @TempDir private Path directory;

  /** Returns the sizes of all actors together. */
  private Map<String, TableSize> sizes() throws IOException {
    try (LocalTable<WarehouseActor> library = Library.open(3, directory)) {
      WarehouseSchema schema = WarehouseSchema.of(library.definition());
      TableSizes all = TableSizes.NONE;
      for (int actor = 0; actor < 3; actor++) {
        all = all.plus(new TableSizes(library.actor(actor).sizes()), schema);
      }
      return all.of();
    }
  }

  @Test
  void rangesAreThoseOfTheValues() throws IOException {
    Map<String, TableSize> sizes = sizes();
    TableSize book = sizes.get("book");
    assertThat(book.rows()).isEqualTo(40);
    assertThat(book.ranges())
        .containsEntry("id", new ColumnRange(-43, 230))
        .containsEntry("price", new ColumnRange(1.37, 40.8))
        .containsEntry("weight", new ColumnRange(0.125, 5))
        .containsEntry("published", new ColumnRange(day("1941-02-02"), day("1980-05-13")))
        .doesNotContainKeys("title", "shelf", "lent");
    ColumnRange since = sizes.get("loan").ranges().get("since");
    assertThat(since.least()).isGreaterThan(millis("2024-01-01T00:00:00Z"));
    assertThat(since.greatest())
        .isLessThan(millis("2025-01-01T00:00:00Z"))
        .isGreaterThan(since.least());
    assertThat(sizes.get("nothing")).isEqualTo(new TableSize(0, Map.of()));
  }

  private static double day(String day) {
    return LocalDate.parse(day).toEpochDay();
  }

  private static double millis(String moment) {
    return Instant.parse(moment).toEpochMilli();
  }
}
