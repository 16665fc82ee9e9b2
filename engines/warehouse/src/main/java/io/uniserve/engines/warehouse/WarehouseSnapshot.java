package io.uniserve.engines.warehouse;

import io.uniserve.api.OperatorContext;
import io.uniserve.api.Usage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.backend.Broadcast;
import io.uniserve.sql.backend.Session;
import io.uniserve.sql.backend.WarehouseSchema;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The rows after a commit. Until the next commit each query has its own transaction. Afterwards
 * only the transaction that began in time remains, which runs queries one after another. If one of
 * them fails, DuckDB ends this transaction, and the version is gone here.
 */
final class WarehouseSnapshot implements WarehouseActor {
  private final LiveWarehouse live;
  private final long version;
  private final Session kept;
  private final ReentrantLock oneAtATime = new ReentrantLock();
  private boolean gone;

  /**
   * Makes a snapshot.
   *
   * @param kept a transaction that sees this version
   */
  WarehouseSnapshot(LiveWarehouse live, long version, Session kept) {
    this.live = live;
    this.version = version;
    this.kept = kept;
  }

  @Override
  public long query(
      List<Broadcast> inputs,
      String sql,
      OperatorContext request,
      Consumer<VectorSchemaRoot> rows) {
    try {
      OptionalLong count = live.query(version, inputs, sql, request, rows);
      return count.isPresent() ? count.getAsLong() : queryKept(inputs, sql, request, rows);
    } catch (SQLException e) {
      request.checkCancelled();
      throw live.failure("", e);
    }
  }

  private long queryKept(
      List<Broadcast> inputs, String sql, OperatorContext request, Consumer<VectorSchemaRoot> rows)
      throws SQLException {
    awaitTurn(request);
    try {
      if (gone) {
        throw gone("a query of this version failed");
      }
      gone = true;
      long count = kept.query(inputs, sql, request.remaining(), request::cancelled, rows);
      kept.forget(inputs);
      gone = false;
      return count;
    } finally {
      oneAtATime.unlock();
    }
  }

  private void awaitTurn(OperatorContext request) {
    try {
      if (!oneAtATime.tryLock(request.remaining().toMillis(), TimeUnit.MILLISECONDS)) {
        request.checkCancelled();
        throw gone("other queries of this version take too long");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, live.where() + ": interrupted", e);
    }
  }

  private UniserveException gone(String why) {
    return new UniserveException(ErrorCode.VERSION_GONE, live.where() + ": " + why);
  }

  /** Returns the actor's present sizes, since sizes are estimates in any case. */
  @Override
  public Map<String, TableSize> sizes() {
    return live.sizes();
  }

  /**
   * Returns the actor's present schema, which decides what can be planned, not the contents of this
   * version.
   */
  @Override
  public WarehouseSchema schema() {
    return live.schema();
  }

  @Override
  public void serialize(Path directory) {
    throw new UnsupportedOperationException("a snapshot is only read");
  }

  @Override
  public Usage usage() {
    return Usage.NONE;
  }

  @Override
  public void close() {
    try {
      kept.close();
    } catch (SQLException e) {
      throw live.failure(": a snapshot cannot be closed", e);
    }
  }
}
