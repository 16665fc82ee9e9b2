package io.uniserve.api;

import io.uniserve.api.partition.Keys;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A scan that an engine has planned: an operator that reads pages of the table's actors, in any
 * order of the actors (PNUTS §2).
 *
 * @param table the table's name
 * @param operator the operator
 * @param keys the keys of the records that it may give
 * @param everywhere true if every actor has all records, so that one is read
 * @param columns the names of the fields of each record, in order; none if records differ
 * @param reader the reader of its pages
 */
public record ScanPlan(
    String table,
    Operator.Scan<?> operator,
    Keys keys,
    boolean everywhere,
    List<String> columns,
    PageReader reader) {
  /** Copies the names. */
  public ScanPlan {
    columns = List.copyOf(columns);
  }

  /** A reader of pages at the client. */
  @FunctionalInterface
  public interface PageReader {
    /** Passes on the records of a block, as documents (see {@link Planner}), in order. */
    void read(ByteBuffer block, Consumer<Map<String, Object>> records);
  }
}
