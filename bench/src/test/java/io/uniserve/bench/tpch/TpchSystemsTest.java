package io.uniserve.bench.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.bench.RealData;
import io.uniserve.bench.base.BenchException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that processes with the data answer correctly, and continue after a query that they cannot
 * answer.
 */
class TpchSystemsTest {
  private static final double SCALE = 0.01;
  private static final long ROWS = 86_805;

  @TempDir static Path directory;

  private static TpchFiles files;

  @BeforeAll
  static void make() {
    files = TpchFiles.of(SCALE, directory, System.err);
  }

  @ParameterizedTest
  @EnumSource(names = {"UNISERVE", "DUCKDB"})
  void everyQueryIsAnsweredAsPublished(SqlSystem system) throws IOException {
    PublishedAnswers published =
        PublishedAnswers.at(SCALE, RealData.with(PublishedAnswers.ARCHIVE));
    try (SqlProcess process = system.open(directory, files, ColumnTypes.DECIMAL)) {
      assertThat(process.loaded().rows()).isEqualTo(ROWS);
      for (int query = 1; query <= TpchTables.QUERIES; query++) {
        List<List<String>> rows = process.answer(TpchTables.query(query));
        assertThat(published.of(query).flatMap(lines -> RowCheck.againstPublished(lines, rows)))
            .as("query %d", query)
            .isEmpty();
      }
    }
  }

  @Test
  void aFailureIsNoEnd() throws IOException {
    try (SqlProcess process =
        SqlSystem.DUCKDB.open(directory.resolve("double"), files, ColumnTypes.DOUBLE)) {
      assertThatThrownBy(() -> process.answer("select nothing"))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("DuckDB: ")
          .hasMessageContaining("nothing");
      assertThat(process.answer("select typeof(l_tax) from lineitem limit 1"))
          .containsExactly(List.of("DOUBLE"));
      assertThat(process.run("select 1", Duration.ofMillis(1)).count()).isPositive();
    }
  }
}
