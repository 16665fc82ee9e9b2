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
 * One transaction after another on an actor's database, each of which begins with the first
 * statement. One thread at a time.
 */
public interface Session extends AutoCloseable {
  /** Work within a transaction. */
  interface Work {
    /** Nothing. */
    Work NONE = session -> {};

    /**
     * Does it.
     *
     * @throws SQLException if the database cannot
     */
    void in(Session session) throws SQLException;
  }

  /**
   * Begins a transaction, which sees what is committed by now until it ends. After a query of it
   * has failed it may be of no use any more.
   */
  void begin() throws SQLException;

  /**
   * Runs a query with the rows of earlier stages as temporary tables; gives its rows, some at a
   * time, at least once.
   *
   * @param timeout after which it may end with an error
   * @param over whether nobody wants the rows any more; it then ends as soon as the driver can
   * @return how many rows
   */
  long query(
      List<Shipped> inputs,
      String sql,
      Duration timeout,
      BooleanSupplier over,
      Consumer<VectorSchemaRoot> rows)
      throws SQLException;

  /**
   * Runs a query as {@link #query} does without rows of earlier stages, and the sooner if it has
   * run before. Only for a session that changes nothing, in its first transaction.
   */
  default long read(
      String sql, Duration timeout, BooleanSupplier over, Consumer<VectorSchemaRoot> rows)
      throws SQLException {
    return query(List.of(), sql, timeout, over, rows);
  }

  /** Drops the temporary tables of an earlier query. */
  void forget(List<Shipped> inputs) throws SQLException;

  /**
   * Runs a statement that gives no rows.
   *
   * @return how many it changed
   */
  long execute(String sql) throws SQLException;

  /**
   * Makes an empty table under the name that it is stored under.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if {@link Backend#redefines} says
   *     so
   */
  default void create(SqlTable table) throws SQLException {
    throw new UniserveException(
        ErrorCode.UNSUPPORTED, "table '" + table.name() + "' cannot be made here");
  }

  /**
   * Requires that a value, which is not null, can be stored as it is.
   *
   * @throws io.uniserve.api.error.UniserveException saying what it is
   */
  void check(SqlColumn column, Object value);

  /** Adds rows that fit the table. */
  void insert(SqlTable table, Collection<Row> rows) throws SQLException;

  /** Adds rows with different primary keys; each replaces the one that has its key. */
  void replace(SqlTable table, Collection<Row> rows) throws SQLException;

  /**
   * Adds blocks of rows; each row replaces the one that has its primary key, if the table has one.
   *
   * @param blocks Arrow streams in the order of the rows
   * @throws UniserveException if they are not the table's, or with {@link ErrorCode#UNSUPPORTED} if
   *     this database takes rows one by one only
   */
  default void put(SqlTable table, List<ByteBuffer> blocks) throws SQLException {
    throw new UniserveException(
        ErrorCode.UNSUPPORTED, "table '" + table.name() + "' takes no blocks of rows");
  }

  /**
   * Forgets the rows of a table that is not replicated whose partition keys are not among some.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if {@link Backend#splits} says so
   */
  default void retain(SqlTable table, Predicate<PartitionKey> kept) throws SQLException {
    throw new UniserveException(
        ErrorCode.UNSUPPORTED, "table '" + table.name() + "' cannot be split");
  }

  /**
   * Adds the rows that a table has in another session of the same kind.
   *
   * @throws UniserveException as {@link #retain} does
   */
  default void absorb(SqlTable table, Session other) throws SQLException {
    throw new UniserveException(
        ErrorCode.UNSUPPORTED, "table '" + table.name() + "' cannot be merged");
  }

  /** About how large tables are. */
  Map<String, TableSize> sizes(WarehouseSchema schema) throws SQLException;

  /**
   * Makes the transaction's changes visible and ends it.
   *
   * @param again does all that was done in it, for a database that takes work back because of what
   *     other actors do; no other update of this actor has run meanwhile
   */
  void commit(Work again) throws SQLException;

  /** Takes the transaction's changes back and ends it, if there is one. */
  void rollback() throws SQLException;

  /** Ends its transaction, and it. */
  @Override
  void close() throws SQLException;
}
