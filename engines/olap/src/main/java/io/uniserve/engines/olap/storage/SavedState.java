package io.uniserve.engines.olap.storage;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.engines.olap.rows.OlapRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The part of a serialised actor that no segment holds.
 *
 * @param version the version of this form
 * @param next the number of the next segment
 * @param segments the numbers of the segments, in their order
 * @param parts the rows that are not in segments, by parts
 * @param merging the merges that are under way
 */
record SavedState(
    int version, long next, List<Long> segments, List<List<OlapRow>> parts, List<Merging> merging) {
  static final int VERSION = 2;

  /** The version before merges were in the background. */
  private static final int OLDEST = 1;

  private static final String FILE = "datasource";

  /**
   * A merge of segments.
   *
   * @param number the number of the segment that is made
   * @param segments the numbers of those that become one
   */
  record Merging(
      @JsonProperty("number") long number, @JsonProperty("segments") List<Long> segments) {}

  /** A row as it is written: its numbers, then its values. */
  private record Saved(
      @JsonProperty("k") long k,
      @JsonProperty("h") long h,
      @JsonProperty("t") long t,
      @JsonProperty("v") Map<String, Object> v) {}

  /** A state as it is written. */
  private record Form(
      @JsonProperty("version") int version,
      @JsonProperty("next") long next,
      @JsonProperty("segments") List<Long> segments,
      @JsonProperty("parts") List<List<Saved>> parts,
      @JsonProperty("merging") List<Merging> merging) {}

  void write(Path directory) throws IOException {
    List<List<Saved>> rows =
        parts.stream()
            .map(
                part ->
                    part.stream()
                        .map(
                            row ->
                                new Saved(
                                    row.keyMillis(), row.hash(), row.timeMillis(), row.values()))
                        .toList())
            .toList();
    Files.write(
        directory.resolve(FILE),
        Druid.get().smile().writeValueAsBytes(new Form(version, next, segments, rows, merging)));
  }

  static SavedState read(Path directory) throws IOException {
    ObjectReader reader =
        Druid.get()
            .smile()
            .readerFor(new TypeReference<Form>() {})
            .with(DeserializationFeature.USE_LONG_FOR_INTS)
            .with(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
    Form form = reader.readValue(Files.readAllBytes(directory.resolve(FILE)));
    if (form.version() < OLDEST || form.version() > VERSION) {
      throw new IOException(
          directory.resolve(FILE)
              + " has version "
              + form.version()
              + ", not "
              + OLDEST
              + " to "
              + VERSION);
    }
    return new SavedState(
        form.version(),
        form.next(),
        form.segments(),
        form.parts().stream()
            .map(
                part ->
                    part.stream()
                        .map(row -> new OlapRow(row.k(), row.h(), row.t(), row.v()))
                        .toList())
            .toList(),
        form.merging() == null ? List.of() : form.merging());
  }
}
