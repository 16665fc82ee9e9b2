package io.uniserve.engines.olap.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.OlapEngine;
import io.uniserve.engines.olap.OlapPlanner;
import io.uniserve.engines.olap.rows.OlapRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of merges in the background, on an actor that writes a segment after two rows. */
class BackgroundMergeTest {
  private static final TableDefinition TABLE =
      new TableDefinition(
          "edits",
          OlapEngine.NAME,
          new Partitioner.Hash(1),
          1,
          Durability.NONE,
          Map.of(
              "timestampSpec",
              Map.of("column", "time", "format", "millis"),
              "dimensionsSpec",
              Map.of("dimensions", List.of("page")),
              "granularitySpec",
              Map.of("rollup", false),
              "maxRowsInMemory",
              2L,
              "segmentsPerSize",
              2L));

  @TempDir private Path directory;
  private int sent;

  private LiveDatasource create() throws IOException {
    return LiveDatasource.create(
        new ActorContext(TABLE, 0, Files.createDirectories(directory.resolve("original"))));
  }

  private LiveDatasource copyOf(LiveDatasource original) throws IOException {
    Path copy = Files.createDirectories(directory.resolve("copy"));
    original.serialize(copy);
    return LiveDatasource.open(new ActorContext(TABLE, 0, copy));
  }

  private List<OlapRow> twoRows() {
    sent += 2;
    return new OlapPlanner()
        .records(
            TABLE,
            IntStream.range(sent - 2, sent)
                .mapToObj(i -> Map.<String, Object>of("time", (long) i, "page", "p" + i))
                .toList());
  }

  private static List<Long> segments(LiveDatasource datasource) {
    try (Contents now = datasource.contents()) {
      return now.stored().stream().map(StoredSegment::rows).toList();
    }
  }

  @Test
  void rowsInMemoryAreWrittenWhenSomebodyAsks() throws IOException {
    try (LiveDatasource datasource = create()) {
      datasource.appending(twoRows().subList(0, 1)).apply();
      assertThat(segments(datasource)).isEmpty();
      datasource.persist();
      assertThat(segments(datasource)).containsExactly(1L);
      datasource.persist();
      assertThat(segments(datasource)).as("nothing more is in memory").containsExactly(1L);
    }
  }

  @Test
  void smallSegmentsBecomeOneAtTheEndOfATask() throws IOException {
    try (LiveDatasource datasource = create()) {
      datasource.appending(twoRows()).apply();
      datasource.appending(twoRows()).apply();
      datasource.appending(twoRows().subList(0, 1)).apply();
      datasource.tidy();
      assertThat(segments(datasource)).containsExactly(5L);

      datasource.appending(twoRows().subList(0, 1)).apply();
      datasource.tidy();
      assertThat(segments(datasource)).as("5 rows are many more than 1").containsExactly(5L, 1L);

      datasource.appending(twoRows().subList(0, 1)).apply();
      datasource.tidy();
      assertThat(segments(datasource)).containsExactly(7L);
    }
  }

  @Test
  void aMergeTakesEffectWithTheNextSegment() throws IOException {
    try (LiveDatasource datasource = create()) {
      datasource.appending(twoRows()).apply();
      datasource.appending(twoRows()).apply();
      assertThat(segments(datasource)).containsExactly(2L, 2L);

      datasource.appending(twoRows()).apply();
      assertThat(segments(datasource)).containsExactly(4L, 2L);
    }
  }

  @Test
  void aCopyGoesOnWithTheMergeThatTheOriginalHasBegun() throws IOException {
    try (LiveDatasource original = create()) {
      original.appending(twoRows()).apply();
      original.appending(twoRows()).apply();
      try (LiveDatasource copy = copyOf(original)) {
        List<OlapRow> more = twoRows();
        original.appending(more).apply();
        copy.appending(more).apply();

        assertThat(segments(copy)).isEqualTo(segments(original)).containsExactly(4L, 2L);
      }
    }
  }

  @Test
  void rowsOfAMergeAreReplacedAllTheSame() throws IOException {
    try (LiveDatasource datasource = create()) {
      datasource.appending(twoRows()).apply();
      datasource.appending(twoRows()).apply();

      datasource.replacing(1, 3, List.of()).apply();
      assertThat(segments(datasource)).containsExactly(1L, 1L);
      datasource.compact();
      assertThat(segments(datasource)).containsExactly(2L);
    }
  }

  @Test
  void anActorThatIsClosedLeavesNoMergeBehind() throws IOException {
    LiveDatasource datasource = create();
    datasource.appending(twoRows()).apply();
    datasource.appending(twoRows()).apply();

    datasource.close();
    try (var left = Files.list(directory.resolve("original").resolve(SegmentWriter.FOLDER))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void replacedRowsAreNotShownWithoutTheNewOnes() throws IOException {
    try (LiveDatasource datasource = create()) {
      datasource.appending(twoRows()).apply();
      List<OlapRow> later = twoRows();

      datasource.replacing(0, 2, later.subList(0, 1)).apply();
      try (Contents now = datasource.contents()) {
        assertThat(now.rows()).isEqualTo(1);
      }
    }
  }
}
