package io.uniserve.backends.duckdb;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.arrow.ArrowSink;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.backend.ArrowTable;
import io.uniserve.sql.backend.Broadcast;
import io.uniserve.sql.backend.LastStage;
import io.uniserve.sql.planner.DistributedQuery.Column;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.duckdb.DuckDBConnection;

/**
 * The stages of queries that run at the client, each on a connection of its own. Errors of DuckDB
 * become {@link UniserveException}s that name the responsible party.
 */
public final class ClientStage {
  private static final int ROWS_MAX = 1_000_000;

  /** The longest time until the first rows, and from some rows to the next. */
  private static final Duration WAITING_MAX = Duration.ofMinutes(10);

  private ClientStage() {}

  /**
   * Runs a stage whose rows other stages read.
   *
   * @param inputs the rows of earlier stages, which it reads as tables
   * @param timeout the longest time that it may run
   * @return blocks, at least one, which shows the columns
   */
  public static List<ByteBuffer> rows(String sql, List<Broadcast> inputs, Duration timeout) {
    List<ByteBuffer> blocks = new ArrayList<>();
    try (DuckDBConnection connection = ClientDatabase.connect()) {
      DuckSession.query(
          connection,
          inputs,
          sql,
          timeout,
          Thread.currentThread()::isInterrupted,
          rows -> blocks.add(Blocks.of(rows)));
      return blocks;
    } catch (SQLException e) {
      throw ClientDatabase.failure(e).ofOurs("SQL", e);
    }
  }

  /**
   * Runs the last stage and returns its rows as a document: {@code {"columns": [{"name", "type"}],
   * "rows": [[VALUE]]}}. Decimals, dates and timestamps are texts.
   *
   * @param timeout the longest time that it may run
   * @throws UniserveException with {@link ErrorCode#TOO_LARGE} beyond {@value #ROWS_MAX} rows
   */
  public static Map<String, Object> answer(LastStage stage, Duration timeout) {
    return run(
        stage,
        new Allowance(timeout),
        () -> false,
        (connection, result) -> document(connection, result, stage));
  }

  /** Runs the last stage and passes its rows on, with the query's names of the columns. */
  public static void stream(LastStage stage, ArrowSink sink) {
    Allowance allowance = new Allowance(WAITING_MAX);
    AtomicBoolean cancelled = new AtomicBoolean();
    sink.whenCancelled(() -> cancelled.set(true));
    run(
        stage,
        allowance,
        cancelled::get,
        (connection, result) ->
            DuckRows.read(
                result,
                rows ->
                    allowance.whileTaken(
                        () -> sink.rows(DuckRows.plain(ArrowTable.named(rows, stage.columns()))))));
  }

  private interface Taking<R> {
    R take(DuckDBConnection connection, ResultSet result) throws SQLException;
  }

  /**
   * Runs a statement and checks repeatedly for its cancellation, since DuckDB ignores one that
   * comes before the statement begins.
   */
  private static <R> R run(
      LastStage stage, Allowance allowance, BooleanSupplier cancelled, Taking<R> taking) {
    Thread asking = Thread.currentThread();
    try (DuckDBConnection connection = ClientDatabase.connect()) {
      for (Broadcast input : stage.inputs()) {
        DuckRows.load(connection, input.name(), input.blocks());
      }
      try (PreparedStatement statement = ValueRoom.prepare(connection, stage.sql());
          Watch watch =
              new Watch(
                  statement,
                  () -> cancelled.getAsBoolean() || asking.isInterrupted() || allowance.isOver())) {
        try (ResultSet result = statement.executeQuery()) {
          return taking.take(connection, result);
        } catch (SQLException e) {
          throw watch.explained(e);
        }
      }
    } catch (SQLException e) {
      DuckFailure failure = ClientDatabase.failure(e);
      if (failure.isInterrupt() && allowance.isOver()) {
        throw new UniserveException(
            ErrorCode.DEADLINE_EXCEEDED,
            "SQL: the part of the query that the client computes took longer than "
                + allowance.timeout().toMillis()
                + " ms",
            e);
      }
      throw stage.isOfCaller() ? failure.ofCaller(stage.sql(), e) : failure.ofOurs("SQL", e);
    }
  }

  private static Map<String, Object> document(
      DuckDBConnection connection, ResultSet result, LastStage stage) throws SQLException {
    List<Column> columns = stage.columns();
    List<String> types = new ArrayList<>();
    for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
      types.add(result.getMetaData().getColumnTypeName(i));
    }
    List<Object> rows = new ArrayList<>();
    while (result.next()) {
      if (rows.size() == ROWS_MAX) {
        throw new UniserveException(
            ErrorCode.TOO_LARGE, "SQL: an answer of more than " + ROWS_MAX + " rows");
      }
      List<Object> row = new ArrayList<>(columns.size());
      for (Column column : columns) {
        row.add(JsonValues.of(result, column.index() + 1));
      }
      rows.add(row);
    }
    if (types.stream().anyMatch(TypeTexts::mayBeWrong)) {
      types = TypeTexts.told(connection, stage.sql());
      TypeTexts.requireNames(types);
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("columns", heads(columns, types));
    document.put("rows", rows);
    return document;
  }

  private static List<Object> heads(List<Column> columns, List<String> types) {
    List<Object> heads = new ArrayList<>();
    for (Column column : columns) {
      Map<String, Object> head = new LinkedHashMap<>();
      head.put("name", column.name());
      head.put("type", types.get(column.index()));
      heads.add(head);
    }
    return heads;
  }
}
