package io.uniserve.sql.backend;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A series of transactions on an actor's database. Each begins with its first statement. One thread
 * may use a session at a time.
 */
public interface Session extends AutoCloseable {
  /** Work within a transaction. */
  interface Work {
    /** No work. */
    Work NONE = session -> {};

    /**
     * * Does the work. *
     *
     * @throws SQLException if the database fails
     */
    void in(Session session) throws SQLException;

    /** Returns this work and some more after it. */
    default Work then(Work more) {
      return this == NONE
          ? more
          : session -> {
            in(session);
            more.in(session);
          };
    }
  }

  /**
   * Begins a transaction, which sees the data that is committed now until it ends. After a failed
   * query it may be unusable.
   */
  void begin() throws SQLException;

  /**
   * Runs a query with the rows of earlier stages as temporary tables. Passes on its rows, some at a
   * time, at least once.
   *
   * @param timeout the time after which it may end with an error
   * @param over returns true once nobody wants the rows any more; the query then ends as soon as
   *     the driver can
   * @return the number of rows
   */
  long query(
      List<Broadcast> inputs,
      String sql,
      Duration timeout,
      BooleanSupplier over,
      Consumer<VectorSchemaRoot> rows)
      throws SQLException;

  /**
   * Runs a query as {@link #query} does, without rows of earlier stages. It starts sooner if it has
   * run before. Only for a session that changes nothing, in its first transaction.
   */
  default long read(
      String sql, Duration timeout, BooleanSupplier over, Consumer<VectorSchemaRoot> rows)
      throws SQLException {
    return query(List.of(), sql, timeout, over, rows);
  }

  /** Drops the temporary tables of an earlier query. */
  void forget(List<Broadcast> inputs) throws SQLException;

  /**
   * Runs a statement without a result.
   *
   * @return the number of rows that it changed
   */
  long execute(String sql) throws SQLException;

  /**
   * Creates an empty table under its stored name.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if {@link Backend#redefines} is
   *     false
   */
  default void create(SqlTable table) throws SQLException {
    throw new UniserveException(
        ErrorCode.UNSUPPORTED, "table '" + table.name() + "' cannot be made here");
  }

  /**
   * Checks that a value, which is not null, can be stored unchanged.
   *
   * @throws io.uniserve.api.error.UniserveException naming the value if it cannot
   */
  void check(SqlColumn column, Object value);

  /** Adds rows, which must fit the table. */
  void insert(SqlTable table, Collection<Row> rows) throws SQLException;

  /** Adds rows with different primary keys. Each replaces an existing row with its key. */
  void replace(SqlTable table, Collection<Row> rows) throws SQLException;

  /**
   * Adds blocks of rows. If the table has a primary key, each row replaces an existing row with its
   * key.
   *
   * @param blocks Arrow streams in the order of the rows
   * @throws UniserveException if their columns are not the table's, or with {@link
   *     ErrorCode#UNSUPPORTED} if this database accepts only single rows
   */
  default void put(SqlTable table, List<ByteBuffer> blocks) throws SQLException {
    throw new UniserveException(
        ErrorCode.UNSUPPORTED, "table '" + table.name() + "' takes no blocks of rows");
  }

  /**
   * Deletes the rows of a table that is not replicated unless their partition keys are kept.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if {@link Backend#splits} is false
   */
  default void retain(SqlTable table, Predicate<PartitionKey> kept) throws SQLException {
    throw new UniserveException(
        ErrorCode.UNSUPPORTED, "table '" + table.name() + "' cannot be split");
  }

  /**
   * Adds the rows of a table in another session of the same kind.
   *
   * @throws UniserveException as {@link #retain} does
   */
  default void absorb(SqlTable table, Session other) throws SQLException {
    throw new UniserveException(
        ErrorCode.UNSUPPORTED, "table '" + table.name() + "' cannot be merged");
  }

  /** Estimates the sizes of tables. */
  Map<String, TableSize> sizes(WarehouseSchema schema) throws SQLException;

  /**
   * Makes the transaction's changes visible and ends it.
   *
   * @param again repeats the transaction's work, for a database that rolls it back because of other
   *     actors; no other update of this actor has run meanwhile
   */
  void commit(Work again) throws SQLException;

  /** Rolls back the transaction and ends it, if there is one. */
  void rollback() throws SQLException;

  /** Rolls back the transaction and closes the session. */
  @Override
  void close() throws SQLException;
}
