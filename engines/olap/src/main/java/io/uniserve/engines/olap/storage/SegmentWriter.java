package io.uniserve.engines.olap.storage;

import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.rows.OlapSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.QueryableIndexIndexableAdapter;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;

/** The writer of an actor's segments, each into a directory with a number of its own. */
final class SegmentWriter {
  static final String FOLDER = "segments";

  /**
   * A segment of fewer rows is not compressed: that takes a third of the time of a load, and such a
   * segment is merged again as the table grows.
   */
  private static final long COMPRESSED_ROWS_MIN = 1_000_000;

  private static final IndexSpec COMPRESSED =
      IndexSpec.builder().withBitmapSerdeFactory(new WholeBitmaps()).build();

  private static final IndexSpec UNCOMPRESSED =
      IndexSpec.builder()
          .withBitmapSerdeFactory(new WholeBitmaps())
          .withDimensionCompression(CompressionStrategy.UNCOMPRESSED)
          .withMetricCompression(CompressionStrategy.UNCOMPRESSED)
          .build();

  private final OlapSchema schema;
  private final Path root;
  private long next;

  /**
   * Makes a writer.
   *
   * @param next the number of the next segment
   */
  SegmentWriter(OlapSchema schema, Path root, long next) {
    this.schema = schema;
    this.root = root;
    this.next = next;
  }

  /** Returns the number of the next segment. */
  long next() {
    return next;
  }

  private interface Filling {
    void writeTo(Path directory) throws IOException;
  }

  /** Returns the number of a segment that is written later. */
  long reserve() {
    return next++;
  }

  private StoredSegment write(Filling files) throws IOException {
    StoredSegment made = writeAs(next, files);
    next++;
    return made;
  }

  private StoredSegment writeAs(long number, Filling files) throws IOException {
    Path directory = root.resolve(FOLDER).resolve(Long.toString(number));
    StoredSegment.deleteAll(directory); // what is left of a merge that was not finished
    Files.createDirectories(directory);
    try {
      files.writeTo(directory);
      return StoredSegment.open(schema.druid().getDataSource(), number, directory);
    } catch (IOException | RuntimeException e) {
      StoredSegment.deleteAll(directory);
      throw e;
    }
  }

  /** Writes the rows of some parts as one segment. */
  StoredSegment persist(List<MemoryPart> parts) throws IOException {
    List<OlapRow> rows = parts.stream().flatMap(part -> part.rows().stream()).toList();
    MemoryPart part = parts.size() == 1 ? parts.getFirst() : new MemoryPart(schema, rows);
    return write(
        directory ->
            Druid.get()
                .merger()
                .persist(
                    part.index(),
                    part.interval(),
                    directory.toFile(),
                    form(part.index().numRows()),
                    TmpFileSegmentWriteOutMediumFactory.instance()));
  }

  /** Writes rows of segments as one segment, rolled up if the schema says so. */
  StoredSegment merge(List<IndexableAdapter> rows) throws IOException {
    return write(merging(rows));
  }

  /** Writes segments as one with a number that was reserved; on any thread. */
  StoredSegment mergeAs(long number, List<StoredSegment> segments) throws IOException {
    List<IndexableAdapter> rows = new ArrayList<>();
    segments.forEach(each -> rows.add(new QueryableIndexIndexableAdapter(each.index())));
    return writeAs(number, merging(rows));
  }

  private Filling merging(List<IndexableAdapter> rows) {
    return directory ->
        Druid.get()
            .merger()
            .merge(
                rows,
                schema.rollsUp(),
                schema.druid().getAggregators(),
                directory.toFile(),
                schema.druid().getDimensionsSpec(),
                form(rows.stream().mapToLong(IndexableAdapter::getNumRows).sum()),
                IndexMerger.UNLIMITED_MAX_COLUMNS_TO_MERGE);
  }

  private static IndexSpec form(long rows) {
    return rows < COMPRESSED_ROWS_MIN ? UNCOMPRESSED : COMPRESSED;
  }

  /** Makes a segment of another one's files. */
  StoredSegment link(StoredSegment other) throws IOException {
    return write(other::linkTo);
  }
}
