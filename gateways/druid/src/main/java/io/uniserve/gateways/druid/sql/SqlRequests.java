package io.uniserve.gateways.druid.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.engines.olap.query.Queries;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.druid.java.util.common.guava.Sequence;
import org.apache.druid.java.util.common.guava.Yielder;
import org.apache.druid.java.util.common.guava.Yielders;
import org.apache.druid.query.QueryContext;
import org.apache.druid.query.QueryContexts;
import org.apache.druid.sql.DirectStatement;
import org.apache.druid.sql.SqlQueryPlus;
import org.apache.druid.sql.SqlRowTransformer;
import org.apache.druid.sql.http.ResultFormat;
import org.apache.druid.sql.http.SqlParameter;
import org.apache.druid.sql.http.SqlQuery;

/** Statements of Druid SQL over HTTP: read, run, and written as their rows come. */
public final class SqlRequests {
  private final DruidSql sql;
  private final Map<String, Thread> running = new ConcurrentHashMap<>();

  /** Makes what runs statements. */
  public SqlRequests(DruidSql sql) {
    this.sql = sql;
  }

  /**
   * Runs a statement.
   *
   * @throws UniserveException if it is wrong; Druid's own failures pass as they are
   */
  public void answer(byte[] body, HttpServletResponse response) throws IOException {
    ObjectMapper json = Druid.get().json();
    SqlQuery query;
    try {
      query = json.readValue(body, SqlQuery.class);
    } catch (JsonProcessingException e) {
      throw UniserveException.invalid("the body is no query of SQL: " + e.getOriginalMessage());
    }
    if (query == null) {
      throw UniserveException.invalid("the body is no query of SQL, which is an object of JSON");
    }
    requireValues(query);
    Queries.check(QueryContext.of(query.getContext()));
    sql.prepare(query.getQuery());
    String id =
        Objects.toString(
            query.getContext().get(QueryContexts.CTX_SQL_QUERY_ID), UUID.randomUUID().toString());
    running.put(id, Thread.currentThread());
    SqlQuery named = query.withOverridenContext(Map.of(QueryContexts.CTX_SQL_QUERY_ID, id));
    try (DirectStatement statement =
        new DirectStatement(
            sql.toolbox(), SqlQueryPlus.builder(named).auth(DruidSql.CALLER).build())) {
      DirectStatement.ResultSet planned = statement.plan();
      SqlRowTransformer rows = planned.createRowTransformer();
      response.setHeader("X-Druid-SQL-Query-Id", id);
      if (named.includeHeader()) {
        response.setHeader("X-Druid-SQL-Header-Included", "yes");
      }
      response.setContentType(named.getResultFormat().contentType());
      write(named, planned.run().getResults(), rows, response.getOutputStream());
    } finally {
      running.remove(id, Thread.currentThread());
    }
  }

  /** Requires that each parameter that is a number has one. */
  private static void requireValues(SqlQuery query) {
    for (SqlParameter parameter : query.getParameters()) {
      boolean number = Number.class.isAssignableFrom(parameter.getType().boxedClass());
      Object value = parameter.getValue();
      if (number && value != null && !(value instanceof Number)) {
        throw UniserveException.invalid(
            "'" + value + "' is no value of a parameter of type " + parameter.getType());
      }
    }
  }

  private static void write(
      SqlQuery query, Sequence<Object[]> results, SqlRowTransformer rows, OutputStream out)
      throws IOException {
    // The first row is computed before anything is written, so that a failure has its own answer.
    Yielder<Object[]> yielder = Yielders.each(results);
    try (ResultFormat.Writer writer =
        query.getResultFormat().createFormatter(out, Druid.get().json())) {
      writer.writeResponseStart();
      if (query.includeHeader()) {
        writer.writeHeader(
            rows.getRowType(), query.includeTypesHeader(), query.includeSqlTypesHeader());
      }
      while (!yielder.isDone()) {
        Object[] row = yielder.get();
        writer.writeRowStart();
        for (int i = 0; i < rows.getFieldList().size(); i++) {
          writer.writeRowField(rows.getFieldList().get(i), rows.transform(row, i));
        }
        writer.writeRowEnd();
        yielder = yielder.next(null);
      }
      writer.writeResponseEnd();
    } finally {
      yielder.close();
    }
  }

  /**
   * Ends a statement, if it still runs.
   *
   * @return true if it was running
   */
  public boolean cancel(String id) {
    Thread thread = running.get(id);
    if (thread != null) {
      thread.interrupt();
    }
    return thread != null;
  }
}
