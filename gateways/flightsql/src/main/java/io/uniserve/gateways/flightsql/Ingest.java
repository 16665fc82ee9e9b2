package io.uniserve.gateways.flightsql;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.PartitionedRecord;
import io.uniserve.api.Planner;
import io.uniserve.api.RejectedRowException;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.api.UpdateFunction;
import io.uniserve.arrowrows.ArrowValue;
import io.uniserve.arrowrows.SoundRows;
import io.uniserve.engines.warehouse.WarehousePlanner;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.sqlbackend.ArrowTable;
import io.uniserve.sqlchanges.BulkRows;
import io.uniserve.sqlchanges.TableChanges;
import java.time.Duration;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest.TableDefinitionOptions;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest.TableDefinitionOptions.TableExistsOption;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest.TableDefinitionOptions.TableNotExistOption;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Rows of Arrow that a client adds to a table, which is made first if it is asked for, in updates
 * of so many rows each. An update is stored as the table's level says, as those of a loaded file
 * are; what was stored before one that fails stays.
 *
 * @param warehouse that the table is in
 * @param table its name
 * @param making whether it is not there yet
 */
record Ingest(TableDefinition warehouse, String table, boolean making) {
  private static final int UPDATE_ROWS_MAX = 10_000;
  private static final UpdateOptions OPTIONS =
      new UpdateOptions(
          Duration.ofMinutes(10), UpdateOptions.Acknowledgement.ALL_COPIES, Optional.empty());

  /**
   * What a client asks for.
   *
   * @throws UniserveException if it is more than to add rows to a table
   */
  static Ingest of(CommandStatementIngest command, Warehouses warehouses) {
    TableDefinition warehouse =
        command.hasSchema() && !command.getSchema().isEmpty()
            ? warehouses.named(command.getSchema())
            : warehouses.chosen(WarehouseHeader.current());
    String name = command.getTable().toLowerCase(Locale.ROOT);
    boolean exists = ArrowTable.of(warehouse).stream().anyMatch(one -> one.name().equals(name));
    check(command, exists);
    return new Ingest(warehouse, name, !exists);
  }

  private static void check(CommandStatementIngest command, boolean exists) {
    TableDefinitionOptions options = command.getTableDefinitionOptions();
    String table = "table '" + command.getTable() + "'";
    if (command.getTemporary() || command.hasTransactionId()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, table + ": there are neither temporary tables nor transactions");
    }
    if (!exists) {
      if (options.getIfNotExist() != TableNotExistOption.TABLE_NOT_EXIST_OPTION_CREATE) {
        throw new UniserveException(ErrorCode.NOT_FOUND, "there is no " + table);
      }
      return;
    }
    TableExistsOption other = options.getIfExists();
    if (other == TableExistsOption.TABLE_EXISTS_OPTION_FAIL) {
      throw new UniserveException(ErrorCode.ALREADY_EXISTS, table + " exists");
    }
    if (other == TableExistsOption.TABLE_EXISTS_OPTION_REPLACE) {
      throw new UniserveException(ErrorCode.UNSUPPORTED, table + ": rows are added, not replaced");
    }
  }

  /**
   * Appends all rows.
   *
   * @return how many
   * @throws UniserveException naming the row that does not fit, and how many are stored
   */
  long run(UniserveClient client, FlightStream stream) {
    return making
        ? new Ingest(made(client, stream.getSchema()), table, false).run(client, stream)
        : append(client, stream);
  }

  private TableDefinition made(UniserveClient client, Schema columns) {
    return client.query(
        TableChanges.create(warehouse, table, columns), new QueryOptions(OPTIONS.timeout()));
  }

  private long append(UniserveClient client, FlightStream stream) {
    long stored = 0;
    try {
      while (stream.next()) {
        VectorSchemaRoot rows = stream.getRoot();
        SoundRows.require(rows);
        boolean fit = BulkRows.fit(warehouse, table, rows);
        for (int from = 0; from < rows.getRowCount(); from += UPDATE_ROWS_MAX) {
          int to = Math.min(rows.getRowCount(), from + UPDATE_ROWS_MAX);
          if (fit) {
            storeBlocks(client, rows, from, to);
          } else {
            store(client, rows(rows, from, to));
          }
          stored += to - from;
        }
      }
      return stored;
    } catch (RejectedRowException e) {
      throw failed(e, "row " + (stored + e.row() + 1) + ": ", stored);
    } catch (UniserveException e) {
      throw failed(e, "", stored);
    }
  }

  /** Rows that are the table's already go to their actors column by column. */
  private void storeBlocks(UniserveClient client, VectorSchemaRoot rows, int from, int to) {
    try (VectorSchemaRoot some = rows.slice(from, to - from)) {
      update(client, BulkRows.function(), BulkRows.records(warehouse, table, some));
    }
  }

  @SuppressWarnings("unchecked") // a function and its records
  private <R extends PartitionedRecord> void update(
      UniserveClient client, UpdateFunction<?, ?> function, List<?> records) {
    client.update(warehouse.name(), (UpdateFunction<?, R>) function, (List<R>) records, OPTIONS);
  }

  private List<Map<String, Object>> rows(VectorSchemaRoot batch, int from, int to) {
    batch.getSchema().getFields().forEach(Ingest::requirePlain);
    List<Map<String, Object>> rows = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put(WarehousePlanner.TABLE, table);
      for (FieldVector column : batch.getFieldVectors()) {
        Object value = ArrowValue.of(column, i);
        row.put(
            column.getName().toLowerCase(Locale.ROOT),
            value instanceof Temporal ? value.toString() : value);
      }
      rows.add(row);
    }
    return rows;
  }

  private static void requirePlain(Field column) {
    if (column.getDictionary() != null) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "column '" + column.getName() + "' is encoded by a dictionary; its values are wanted");
    }
  }

  private void store(UniserveClient client, List<Map<String, Object>> rows) {
    Planner planner = client.planner(warehouse);
    update(client, planner.load(warehouse), planner.records(warehouse, rows));
  }

  private static UniserveException failed(UniserveException e, String where, long stored) {
    return new UniserveException(
        e.code(), where + e.getMessage() + " (" + stored + " rows were stored before)", e);
  }
}
