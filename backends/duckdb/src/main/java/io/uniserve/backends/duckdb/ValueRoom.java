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
 * A function of SQL that statements ask before they make large values. DuckDB makes the values of
 * about two thousand rows at once, beside the memory that it limits, and hears of no cancellation
 * meanwhile: so it is asked with the bytes that each of these values will have, and fails if they
 * are too many. It gives 0, to be added to something.
 *
 * <p>What a change may make must not depend on the process, since all copies of an actor make the
 * same changes: each of its values has a bound. A query's values have one together, which is part
 * of the memory of all databases.
 */
final class ValueRoom {
  /** The name of the function, in SQL. */
  static final String FUNCTION = "__internal_uniserve_room";

  /** The most bytes of a value that a change makes of a smaller one. */
  static final int CHANGE_BYTES_MAX = 128 << 10;

  /** How much larger a value may be than what it is made of, however large that is. */
  private static final int GROWTH_MAX = 4;

  /** The part of the budget that values of a query may have which are made at once. */
  private static final int PARTS = 16;

  /** The part of what the process may still have. */
  private static final int FREE_PARTS = 4;

  private static final long LEAST_BYTES = 16L << 20;

  /** Before what is wrong, so that it is told from what is wrong elsewhere. */
  static final String REFUSED_CHANGE = "a change makes no value";

  /** The same, where memory lacks. */
  static final String LACKS = "no memory for values";

  private static final ThreadLocal<Boolean> CHANGES = ThreadLocal.withInitial(() -> false);

  /** The largest value that was made alone on this thread: of constants, while it plans. */
  private static final ThreadLocal<Long> CONSTANT = ThreadLocal.withInitial(() -> 0L);

  /** What puts a constant beside the value of each row. */
  private static final Pattern JOINS =
      Pattern.compile("(?i)\\|\\||\\b(concat|concat_ws|format|printf)\\b");

  /** As DuckDB computes them. */
  private static final int ROWS_AT_ONCE = 2048;

  private ValueRoom() {}

  /**
   * Prepares a query.
   *
   * @throws SQLException also if it joins a constant with the values of rows that is so large that
   *     they had no room: before anybody is asked for that, each row has its copy
   */
  static PreparedStatement prepare(DuckDBConnection connection, String sql) throws SQLException {
    JoinBounds.make(connection, sql);
    CONSTANT.set((long) longestText(sql));
    PreparedStatement statement = prepared(connection, sql);
    long constant = CONSTANT.get();
    if (constant > bytesMax() / ROWS_AT_ONCE && JOINS.matcher(sql).find() && readsRows(sql)) {
      statement.close();
      throw DuckFailure.outOfMemory(
          "%s of %d rows at once, with a constant of %d bytes in each"
              .formatted(LACKS, ROWS_AT_ONCE, constant));
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

  /** Returns about how many characters the longest text has that is written in a statement. */
  static int longestText(String sql) {
    int longest = 0;
    for (int from = sql.indexOf('\''); from >= 0; ) {
      int to = sql.indexOf('\'', from + 1);
      longest = Math.max(longest, to - from);
      from = to;
    }
    return longest;
  }

  /** A change, as {@link #whileChanging} makes it. */
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
   * The first column has the bytes of values to make, the second those of what they are made of.
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
    long most = isChange ? Long.MAX_VALUE : bytesMaxNow();
    if (sum > most) {
      throw new SQLException(
          "%s of %d rows that have %.0f bytes; those that are made at once may have %d now"
              .formatted(LACKS, rows.rowCount(), sum, most));
    }
  }

  /** The most bytes that values of a query have which are made at once, however much is free. */
  static long bytesMax() {
    return Math.max(LEAST_BYTES, (MemoryBudget.ofThisProcess().megabytes() << 20) / PARTS);
  }

  /** As many as that, and a part of what the process may still have. */
  private static long bytesMaxNow() {
    long free = (ResidentMemory.bytesMax() - ResidentMemory.bytes()) / FREE_PARTS;
    return free < 0 ? 0 : Math.clamp(free, LEAST_BYTES, bytesMax());
  }
}
