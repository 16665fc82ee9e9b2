package io.uniserve.engines.search;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import java.util.Map;

/**
 * A document to index. Its id decides its actor. A second document of the same id replaces the
 * first.
 *
 * @param id the id, not empty, at most {@value #ID_BYTES_MAX} bytes in UTF-8
 * @param fields the values by field name: {@link String}, a number, {@link Boolean}, or a list of
 *     these; {@code null} counts as absent. They are checked against the schema by {@link
 *     SearchPlanner#records} and again by {@link AddDocuments}
 */
@Name("Document")
public record Document(String id, Map<String, Object> fields) implements PartitionedRecord {
  /** The longest id, in bytes. */
  public static final int ID_BYTES_MAX = 512;

  /** Checks the id. */
  public Document {
    requireId(id);
  }

  static void requireId(String id) {
    int bytes = id.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > ID_BYTES_MAX) {
      throw UniserveException.invalid(
          "an id has 1 to " + ID_BYTES_MAX + " bytes, not " + bytes + ": '" + Excerpt.of(id) + "'");
    }
  }

  @Override
  public PartitionKey partitionKey() {
    return PartitionKey.of(id);
  }
}
