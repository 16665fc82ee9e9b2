package io.uniserve.backends.duckdb;

import io.uniserve.sql.algebra.functions.FunctionTypes;
import io.uniserve.sql.arrow.ArrowSink;
import io.uniserve.sql.backend.BoundColumn;
import io.uniserve.sql.backend.Broadcast;
import io.uniserve.sql.backend.ClientSql;
import io.uniserve.sql.backend.LastStage;
import io.uniserve.sql.planner.DistributedQuery;
import io.uniserve.sql.syntax.SqlTable;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Schema;

/** DuckDB where a query is asked. */
public final class ClientDuck implements ClientSql {
  @Override
  public List<ByteBuffer> rows(String sql, List<Broadcast> inputs, Duration timeout) {
    return ClientStage.rows(sql, inputs, timeout);
  }

  @Override
  public Map<String, Object> answer(LastStage stage, Duration timeout) {
    return ClientStage.answer(stage, timeout);
  }

  @Override
  public void stream(LastStage stage, ArrowSink sink) {
    ClientStage.stream(stage, sink);
  }

  @Override
  public List<BoundColumn> bound(List<SqlTable> tables, DistributedQuery query) {
    return EmptyTables.bound(tables, query);
  }

  @Override
  public Schema columns(List<SqlTable> tables, DistributedQuery query) {
    return EmptyTables.columns(tables, query);
  }

  @Override
  public List<Optional<String>> parameters(List<SqlTable> tables, String sql) {
    return EmptyTables.parameters(tables, sql);
  }

  @Override
  public String tree(String sql) {
    return DuckSyntax.tree(sql);
  }

  @Override
  public String place(String sql, int byteOffset) {
    return DuckSyntax.place(sql, byteOffset);
  }

  @Override
  public FunctionTypes types() {
    return AskedTypes.INSTANCE;
  }
}
