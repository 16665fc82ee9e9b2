package io.uniserve.runtime.client.stream;

import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.StreamOffsets;
import io.uniserve.runtime.wire.stream.StreamState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The way of rows of one stream into its table. Rows that belong together are one update, whose key
 * are their offsets. If it is refused, its halves are sent: so what an actor has applied already is
 * told from what it has not, and a row that no table can take is found.
 */
final class RowSender {
  /** The failures that a row may be at fault for. */
  private static final Set<ErrorCode> OF_ROWS =
      Set.of(
          ErrorCode.INVALID_ARGUMENT,
          ErrorCode.TOO_LARGE,
          ErrorCode.ALREADY_EXISTS,
          ErrorCode.ABORTED);

  private final UniserveClient client;
  private final StreamState stream;
  private final Duration timeout;

  RowSender(UniserveClient client, StreamState stream, Duration timeout) {
    this.client = client;
    this.stream = stream;
    this.timeout = timeout;
  }

  /**
   * One row of a partition.
   *
   * @param offset the offset of its record
   * @param fields its fields
   */
  record Row(long offset, Map<String, Object> fields) {}

  /** A receiver of rows that the table cannot take. */
  @FunctionalInterface
  interface Refused {
    /** Takes the offset of a record, and the reason. */
    void take(long offset, String why);
  }

  /**
   * Sends rows of a partition, in their order.
   *
   * @param refused is told of each row that the table cannot take; if it throws, nothing after the
   *     row is sent
   * @throws UniserveException a failure that no row is at fault for; what was sent may be sent
   *     again
   */
  void send(int partition, List<Row> rows, Refused refused) {
    if (rows.isEmpty()) {
      return;
    }
    try {
      update(partition, rows);
    } catch (RejectedRowException e) {
      send(partition, rows.subList(0, e.row()), refused);
      refused.take(rows.get(e.row()).offset(), e.getMessage());
      send(partition, rows.subList(e.row() + 1, rows.size()), refused);
    } catch (UniserveException e) {
      if (!OF_ROWS.contains(e.code())) {
        throw e;
      }
      if (rows.size() == 1) {
        refused.take(rows.getFirst().offset(), e.getMessage());
      } else {
        send(partition, rows.subList(0, rows.size() / 2), refused);
        send(partition, rows.subList(rows.size() / 2, rows.size()), refused);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private void update(int partition, List<Row> rows) {
    TableDefinition table = table().definition();
    Planner planner = client.planner(table);
    List<? extends PartitionedRecord> records =
        planner.records(table, rows.stream().map(Row::fields).toList());
    UpdateFunction<?, PartitionedRecord> load =
        (UpdateFunction<?, PartitionedRecord>) planner.load(table); // made for its own records
    StreamOffsets offsets =
        StreamOffsets.of(
            stream.identity(), partition, rows.getFirst().offset(), rows.getLast().offset() + 1);
    client.update(table.name(), load, records, UpdateOptions.ofStream(timeout, offsets));
  }

  /** Returns the stream's own table, not another that has its name by now. */
  private TableState table() {
    TableState table = client.state().tables().get(stream.table());
    if (table == null) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "table '" + stream.definition().table() + "' is not there any more");
    }
    return table;
  }
}
