package io.uniserve.node.http.api;

import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The rows of one request, each with its line in the body, which are converted to records.
 *
 * @param rows objects
 * @param lines the line of each row, from 1
 */
public record RecordBatch(List<Map<String, Object>> rows, List<Long> lines) {

  /**
   * A row that was refused.
   *
   * @param line its line in the body
   * @param message the fault that it has
   */
  record Rejected(long line, String message) {}

  /** A failure: a batch has a row that its table refuses. It names the line. */
  public static final class RejectedLineException extends UniserveException {
    private static final long serialVersionUID = 1L;
    private final long line;

    RejectedLineException(long line, String message) {
      super(io.uniserve.api.error.ErrorCode.INVALID_ARGUMENT, "line " + line + ": " + message);
      this.line = line;
    }

    public long line() {
      return line;
    }
  }

  /**
   * Returns all rows as records.
   *
   * @throws RejectedLineException for the first row that the schema refuses
   */
  List<? extends PartitionedRecord> records(Planner planner, TableDefinition table) {
    try {
      return planner.records(table, rows);
    } catch (RejectedRowException e) {
      throw new RejectedLineException(lines.get(e.row()), e.getMessage());
    }
  }

  /** Returns the records of all rows that the schema accepts, and reports those that it refuses. */
  List<PartitionedRecord> acceptable(
      Planner planner, TableDefinition table, List<Rejected> rejected) {
    List<PartitionedRecord> records = new ArrayList<>(rows.size());
    int start = 0;
    while (start < rows.size()) {
      try {
        records.addAll(planner.records(table, rows.subList(start, rows.size())));
        return records;
      } catch (RejectedRowException e) {
        int bad = start + e.row();
        records.addAll(planner.records(table, rows.subList(start, bad)));
        rejected.add(new Rejected(lines.get(bad), e.getMessage()));
        start = bad + 1;
      }
    }
    return records;
  }
}
