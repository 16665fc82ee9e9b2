package io.uniserve.sql.backend;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.algebra.functions.FunctionTypes;
import io.uniserve.sql.arrow.ArrowSink;
import io.uniserve.sql.planner.DistributedQuery;
import io.uniserve.sql.syntax.SqlTable;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The port to the database that runs where a query is asked. It computes the stages that are not
 * spread over actors, and tells what a statement means before it runs. Its dialect and its types
 * are DuckDB's, whichever database the actors have. All methods fail with {@link
 * UniserveException}s that say whose fault it is.
 */
public interface ClientSql {
  /** Returns the one of this program, which a library provides as a service. */
  static ClientSql get() {
    return Provided.INSTANCE;
  }

  /** A holder of the service, which is looked up once. */
  final class Provided {
    private static final ClientSql INSTANCE =
        ServiceLoader.load(ClientSql.class, ClientSql.class.getClassLoader())
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no library provides " + ClientSql.class));

    private Provided() {}
  }

  /**
   * Runs a stage that others read.
   *
   * @param inputs the rows of earlier stages, which it finds as tables
   * @param timeout the longest time that it may run
   * @return blocks of rows, at least one, which tells the columns
   */
  List<ByteBuffer> rows(String sql, List<Broadcast> inputs, Duration timeout);

  /**
   * Runs the last stage and returns its rows as a document: {@code {"columns": [{"name", "type"}],
   * "rows": [[VALUE]]}}; decimals, dates and timestamps are texts.
   *
   * @param timeout the longest time that it may run
   * @throws UniserveException with {@link ErrorCode#TOO_LARGE} beyond a million rows
   */
  Map<String, Object> answer(LastStage stage, Duration timeout);

  /** Runs the last stage and gives its rows to a sink, with columns named as the query has them. */
  void stream(LastStage stage, ArrowSink sink);

  /**
   * Returns the columns of a query's last stage, if the database takes all stages.
   *
   * @param tables that it may read
   */
  List<BoundColumn> bound(List<SqlTable> tables, DistributedQuery query);

  /**
   * Returns the columns of a query's answer.
   *
   * @param tables that it may read
   */
  Schema columns(List<SqlTable> tables, DistributedQuery query);

  /**
   * Returns the types of the parameters of a query, as far as it tells them, by DuckDB's names.
   *
   * @param tables that it reads
   */
  List<Optional<String>> parameters(List<SqlTable> tables, String sql);

  /**
   * Returns the syntax tree of a text, of which nothing is looked up or run.
   *
   * @return the tree, as DuckDB's {@code json_serialize_sql} gives it: {@code {"error": false,
   *     "statements": [{"node": ...}]}}, or {@code {"error": true, "error_type", "error_message",
   *     "position"}} for what is no SQL or no query. Positions are in bytes from the beginning of
   *     the text
   */
  String tree(String sql);

  /** Returns the place of a byte of a text, for people: {@code line 1, column 1: } is the first. */
  String place(String sql, int byteOffset);

  /** Returns the types of expressions, as the database tells them. */
  FunctionTypes types();
}
