package io.uniserve.gateways.flightsql;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.sql.arrow.ArrowValue;
import io.uniserve.sql.arrow.SoundRows;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.changes.BulkRows;
import io.uniserve.sql.changes.PutRows;
import io.uniserve.sql.changes.Replacement;
import io.uniserve.sql.changes.TableChanges;
import io.uniserve.sql.changes.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest.TableDefinitionOptions;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest.TableDefinitionOptions.TableExistsOption;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementIngest.TableDefinitionOptions.TableNotExistOption;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * An addition of Arrow rows to a table, which may be created first. The rows are stored in updates,
 * at the table's level, as those of a loaded file are. If an update fails, earlier ones stay
 * stored. A table that replaces another has all its rows before it becomes visible; if a row fails,
 * the other table stays.
 *
 * @param warehouse the warehouse of the table
 * @param table the table's name
 * @param way the use of the rows
 */
record Ingest(TableDefinition warehouse, String table, Way way) {
  private static final int UPDATE_ROWS_MAX = 10_000;
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  /**
   * The options of successive updates.
   *
   * @param key the idempotency key of the whole, if it may be sent again: the same rows in the same
   *     batches make the same updates
   */
  private static final class Options {
    private final Optional<String> key;
    private int given;

    Options(Optional<String> key) {
      this.key = key;
    }

    UpdateOptions next() {
      int number = given++;
      return new UpdateOptions(
          TIMEOUT,
          UpdateOptions.Acknowledgement.ALL_COPIES,
          key.map(whole -> Running.part(whole, number)));
    }
  }

  /** The use of the rows. */
  enum Way {
    /** They are added to an existing table. */
    APPEND,
    /** They are added to a new table. */
    CREATE,
    /** They become a new table that replaces an existing one. */
    REPLACE
  }

  /**
   * Reads a client's command.
   *
   * @throws UniserveException if it asks for something that is not supported
   */
  static Ingest of(CommandStatementIngest command, Warehouses warehouses) {
    refuseOthers(command);
    TableDefinition warehouse =
        command.hasSchema() && !command.getSchema().isEmpty()
            ? warehouses.named(command.getSchema().toLowerCase(Locale.ROOT))
            : warehouses.chosen(CallHeaders.warehouse());
    String name = command.getTable().toLowerCase(Locale.ROOT);
    boolean exists = WarehouseSchema.of(warehouse).tables().containsKey(name);
    return new Ingest(warehouse, name, way(command, exists));
  }

  private static void refuseOthers(CommandStatementIngest command) {
    String wrong =
        command.getTemporary()
            ? "there are no temporary tables"
            : command.hasTransactionId() && !command.getTransactionId().isEmpty()
                ? "there are no transactions"
                : command.hasCatalog() && !command.getCatalog().isEmpty()
                    ? "there are no catalogs, so none is '" + command.getCatalog() + "'"
                    : !command.getOptionsMap().isEmpty()
                        ? "rows are stored without options, not " + command.getOptionsMap().keySet()
                        : null;
    if (wrong != null) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "table '" + command.getTable() + "': " + wrong);
    }
  }

  private static Way way(CommandStatementIngest command, boolean exists) {
    TableDefinitionOptions options = command.getTableDefinitionOptions();
    String table = "table '" + command.getTable() + "'";
    if (!exists) {
      if (options.getIfNotExist() != TableNotExistOption.TABLE_NOT_EXIST_OPTION_CREATE) {
        throw new UniserveException(ErrorCode.NOT_FOUND, "there is no " + table);
      }
      return options.getIfExists() == TableExistsOption.TABLE_EXISTS_OPTION_REPLACE
          ? Way.REPLACE
          : Way.CREATE;
    }
    return switch (options.getIfExists()) {
      case TABLE_EXISTS_OPTION_REPLACE -> Way.REPLACE;
      case TABLE_EXISTS_OPTION_APPEND -> Way.APPEND;
      case TABLE_EXISTS_OPTION_FAIL ->
          throw new UniserveException(ErrorCode.ALREADY_EXISTS, table + " exists");
      case TABLE_EXISTS_OPTION_UNSPECIFIED, UNRECOGNIZED ->
          throw UniserveException.invalid(
              table + " exists, and the call does not say whether to append to it or replace it");
    };
  }

  /**
   * Stores all rows.
   *
   * @param key the idempotency key with which they may be sent again; a table that replaces another
   *     needs none, since a second run gives the same rows
   * @param inTurn runs one update when there is room for it
   * @return the number of rows
   * @throws UniserveException naming the row that does not fit, and the number of stored rows
   */
  long run(
      UniserveClient client, Optional<String> key, FlightStream stream, Consumer<Runnable> inTurn) {
    QueryOptions patience = new QueryOptions(TIMEOUT);
    Options options = new Options(way == Way.REPLACE ? Optional.empty() : key);
    return switch (way) {
      case APPEND -> append(client, Target.of(warehouse, table), options, stream, inTurn);
      case CREATE ->
          append(
              client,
              Target.of(
                  client.query(TableChanges.create(warehouse, table, stream.getSchema()), patience),
                  table),
              options,
              stream,
              inTurn);
      case REPLACE -> {
        Replacement replacement =
            client.query(TableChanges.replacement(warehouse, table, stream.getSchema()), patience);
        try {
          long stored = append(client, replacement.target(), options, stream, inTurn);
          client.query(replacement.published(), patience);
          yield stored;
        } catch (RuntimeException e) {
          drop(client, replacement, e);
          throw e;
        }
      }
    };
  }

  /** Drops the replacement. If that fails now, a later change of the schema removes it. */
  private static void drop(
      UniserveClient client, Replacement replacement, RuntimeException failure) {
    try {
      client.query(replacement.dropped(), new QueryOptions(TIMEOUT));
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private long append(
      UniserveClient client,
      Target to,
      Options options,
      FlightStream stream,
      Consumer<Runnable> inTurn) {
    long stored = 0;
    try {
      while (stream.next()) {
        VectorSchemaRoot rows = stream.getRoot();
        SoundRows.require(rows);
        boolean fit = to.fits(rows);
        for (int from = 0; from < rows.getRowCount(); from += UPDATE_ROWS_MAX) {
          int until = Math.min(rows.getRowCount(), from + UPDATE_ROWS_MAX);
          int first = from;
          UpdateOptions its = options.next();
          inTurn.accept(() -> store(client, to, its, rows, fit, first, until));
          stored += until - from;
        }
      }
      return stored;
    } catch (RejectedRowException e) {
      throw failed(e, "row " + (stored + e.row() + 1) + ": ", stored);
    } catch (UniserveException e) {
      throw failed(e, "", stored);
    }
  }

  private void store(
      UniserveClient client,
      Target to,
      UpdateOptions options,
      VectorSchemaRoot rows,
      boolean fit,
      int from,
      int until) {
    if (fit) {
      storeBlocks(client, to, options, rows, from, until);
    } else {
      update(client, new PutRows(), to.rows(rows(rows, from, until)), options);
    }
  }

  /** Stores rows that have the table's columns, column by column. */
  private void storeBlocks(
      UniserveClient client,
      Target to,
      UpdateOptions options,
      VectorSchemaRoot rows,
      int from,
      int until) {
    try (VectorSchemaRoot some = rows.slice(from, until - from)) {
      UpdateOptions its =
          options.idempotencyKey().isEmpty() ? options : options.sentAs(bytes(some));
      update(client, BulkRows.function(), to.blocks(some), its);
    }
  }

  private static byte[] bytes(VectorSchemaRoot rows) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ArrowStreamWriter writer = new ArrowStreamWriter(rows, null, bytes)) {
      writer.writeBatch();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @SuppressWarnings("unchecked") // a function and its records
  private <R extends PartitionedRecord> void update(
      UniserveClient client,
      UpdateFunction<?, ?> function,
      List<?> records,
      UpdateOptions options) {
    client.update(warehouse.name(), (UpdateFunction<?, R>) function, (List<R>) records, options);
  }

  private static List<Map<String, Object>> rows(VectorSchemaRoot batch, int from, int until) {
    batch.getSchema().getFields().forEach(Ingest::requirePlain);
    List<Map<String, Object>> rows = new ArrayList<>(until - from);
    for (int i = from; i < until; i++) {
      Map<String, Object> row = new LinkedHashMap<>();
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

  private UniserveException failed(UniserveException e, String where, long stored) {
    String rest =
        way == Way.REPLACE
            ? " (nothing was replaced)"
            : " (" + stored + " rows were stored before)";
    return e.saying(where + e.getMessage() + rest);
  }
}
