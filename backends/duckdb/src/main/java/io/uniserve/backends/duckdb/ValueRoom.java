package io.uniserve.backends.duckdb;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBReadableVector;
import org.duckdb.DuckDBScalarFunctionBuilder;
import org.duckdb.DuckDBWritableVector;

/**
 * A SQL function that statements call before they make large values. DuckDB makes the values of
 * about two thousand rows at once, outside of its memory limit, and ignores a cancellation
 * meanwhile. The function gets the bytes that each of these values will have, and fails if they are
 * too many. It returns 0, which can be added to another number.
 *
 * <p>The bounds of a change must not depend on the process, since all copies of an actor make the
 * same changes. Each value of a change therefore has a fixed bound. The values of a query have one
 * bound together, a part of the memory of all databases.
 */
final class ValueRoom {
  /** The name of the function, in SQL. */
  static final String FUNCTION = "__internal_uniserve_room";

  /** The most bytes of a value that a change makes from a much smaller one. */
  static final int CHANGE_BYTES_MAX = 128 << 10;

  /** The factor by which a value may exceed its source in any case. */
  private static final int GROWTH_MAX = 4;

  /** The divisor of the budget for values that a query makes at once. */
  private static final int PARTS = 16;

  /** The divisor of the memory that the process may still take. */
  private static final int FREE_PARTS = 4;

  private static final long LEAST_BYTES = 16L << 20;

  /** The beginning of a refusal, which distinguishes it from other errors. */
  static final String REFUSED_CHANGE = "a change makes no value";

  /** The beginning of a refusal for lack of memory at the moment. */
  static final String LACKS = "no memory for values";

  /** The beginning of a refusal of values that are too large at any time. */
  static final String TOO_LARGE = "values are too large";

  private static final ThreadLocal<Boolean> CHANGES = ThreadLocal.withInitial(() -> false);

  /** The largest value that was made alone on this thread: of constants, while it plans. */
  private static final ThreadLocal<Long> CONSTANT = ThreadLocal.withInitial(() -> 0L);

  /** The pattern of functions that join a constant with the value of each row. */
  private static final Pattern JOINS =
      Pattern.compile("(?i)\\|\\||\\b(concat|concat_ws|format|printf)\\b");

  /** The number of rows that DuckDB computes at once. */
  private static final int ROWS_AT_ONCE = 2048;

  private ValueRoom() {}

  /**
   * Prepares a query.
   *
   * @throws SQLException also if it joins the values of rows with a constant that is too large:
   *     each row would get a copy of it before the request for room
   */
  static PreparedStatement prepare(DuckDBConnection connection, String sql) throws SQLException {
    JoinBounds.make(connection, sql);
    CONSTANT.set((long) longestText(sql));
    PreparedStatement statement = prepared(connection, sql);
    long constant = CONSTANT.get();
    if (constant > bytesMax() / ROWS_AT_ONCE && JOINS.matcher(sql).find() && readsRows(sql)) {
      statement.close();
      throw DuckFailure.tooLarge(
          "%s: %d at once, with a constant of %d bytes in each; a query makes at most %d bytes at once"
              .formatted(TOO_LARGE, ROWS_AT_ONCE, constant, bytesMax()));
    }
    return statement;
  }

  private static PreparedStatement prepared(DuckDBConnection connection, String sql)
      throws SQLException {
    try {
      return connection.prepareStatement(sql);
    } catch (SQLException e) {
      throw DuckFailure.ofQuery(e);
    }
  }

  private static boolean readsRows(String sql) {
    return sql.toLowerCase(Locale.ROOT).contains("from");
  }

  /** Estimates the characters of the longest text that is written in a statement. */
  static int longestText(String sql) {
    int longest = 0;
    for (int from = sql.indexOf('\''); from >= 0; ) {
      int to = sql.indexOf('\'', from + 1);
      longest = Math.max(longest, to - from);
      from = to;
    }
    return longest;
  }

  /** A change that {@link #whileChanging} makes. */
  @FunctionalInterface
  interface Change<R> {
    R make() throws SQLException;
  }

  /** Makes a change on this thread, which is also the one that DuckDB computes on. */
  static <R> R whileChanging(Change<R> change) throws SQLException {
    CHANGES.set(true);
    try {
      return change.make();
    } finally {
      CHANGES.set(false);
    }
  }

  /** Makes the function in a database. */
  static void register(DuckDBConnection connection) throws SQLException {
    try (DuckDBScalarFunctionBuilder function = DuckDBFunctions.scalarFunction()) {
      function
          .withName(FUNCTION)
          .withParameters(DuckDBColumnType.BIGINT, DuckDBColumnType.BIGINT)
          .withReturnType(DuckDBColumnType.INTEGER)
          .withVectorizedFunction(ValueRoom::ask)
          .register(connection);
    }
  }

  /**
   * Answers requests for room. The first column has the bytes of values to make, the second those
   * of their sources.
   */
  private static void ask(DuckDBDataChunkReader rows, DuckDBWritableVector result)
      throws SQLException {
    DuckDBReadableVector made = rows.vector(0);
    DuckDBReadableVector given = rows.vector(1);
    boolean isChange = CHANGES.get();
    double sum = 0;
    for (long row = 0; row < rows.rowCount(); row++) {
      long bytes = made.getLong(row, 0);
      sum += bytes;
      result.setInt(row, 0);
      if (isChange && bytes > CHANGE_BYTES_MAX && bytes / GROWTH_MAX > given.getLong(row, 0)) {
        throw new SQLException(
            REFUSED_CHANGE + " of more than " + CHANGE_BYTES_MAX + " bytes of so few");
      }
    }
    if (rows.rowCount() == 1) {
      CONSTANT.set(Math.max(CONSTANT.get(), made.getLong(0, 0)));
    }
    if (isChange) {
      return;
    }
    if (sum > bytesMax()) {
      throw new SQLException(
          "%s: %.0f bytes at once; a query makes at most %d bytes at once"
              .formatted(TOO_LARGE, sum, bytesMax()));
    }
    if (sum > bytesMaxNow()) {
      throw new SQLException(
          "%s of %.0f bytes at once; there is room for %d bytes now"
              .formatted(LACKS, sum, bytesMaxNow()));
    }
  }

  /** Returns the most bytes of values that a query makes at once, regardless of free memory. */
  static long bytesMax() {
    return Math.max(LEAST_BYTES, (MemoryBudget.ofThisProcess().megabytes() << 20) / PARTS);
  }

  /**
   * Returns the most bytes now: at most {@link #bytesMax}, and a part of the memory that the
   * process may still take.
   */
  private static long bytesMaxNow() {
    long free = (ResidentMemory.bytesMax() - ResidentMemory.bytes()) / FREE_PARTS;
    return free < 0 ? 0 : Math.clamp(free, LEAST_BYTES, bytesMax());
  }
}
