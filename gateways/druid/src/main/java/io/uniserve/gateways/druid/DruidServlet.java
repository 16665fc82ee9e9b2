package io.uniserve.gateways.druid;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.query.DruidClient;
import io.uniserve.engines.olap.query.Failures;
import io.uniserve.gateways.druid.jdbc.JdbcRequests;
import io.uniserve.gateways.druid.lookups.LookupRequests;
import io.uniserve.gateways.druid.sql.DatasourceSchema;
import io.uniserve.gateways.druid.sql.DruidSql;
import io.uniserve.gateways.druid.sql.LookupSchema;
import io.uniserve.gateways.druid.sql.SqlRequests;
import io.uniserve.gateways.druid.sql.SystemTables;
import io.uniserve.gateways.druid.tasks.AllowedInputs;
import io.uniserve.gateways.druid.tasks.IndexTasks;
import io.uniserve.gateways.druid.tasks.Supervisors;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.surfaces.Parameters;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The servlet that passes requests to what answers them. */
final class DruidServlet extends HttpServlet {
  static final int BODY_BYTES_MAX = 16 << 20;
  private static final String LOOKUPS = "/coordinator/v1/lookups/";
  private static final String TASK = "GET /indexer/v1/task/";
  private static final String SUPERVISOR = "/indexer/v1/supervisor";

  private final transient UniserveClient client;
  private final transient AllowedInputs allowed;
  private transient volatile Handlers handlers;

  DruidServlet(UniserveClient client, AllowedInputs allowed) {
    this.client = client;
    this.allowed = allowed;
  }

  /** The parts that answer requests. They are made for the first one, since they load Druid. */
  private record Handlers(
      NativeQueries queries,
      Datasources datasources,
      SqlRequests sql,
      JdbcRequests jdbc,
      LookupRequests lookups,
      IndexTasks tasks,
      Supervisors supervisors) {}

  private synchronized Handlers handlers() {
    if (handlers == null) {
      DruidClient druid = new DruidClient(new ClientCluster(client));
      Datasources datasources = new Datasources(client);
      IndexTasks tasks = new IndexTasks(client, allowed);
      Supervisors supervisors = new Supervisors(client, datasources::readable);
      DruidSql sql =
          new DruidSql(
              druid,
              new DatasourceSchema(datasources::readable, druid),
              new LookupSchema(datasources::readable, druid),
              new SystemTables(
                  client,
                  datasources::readable,
                  () -> tasks.rows(datasources.readable().keySet()),
                  supervisors::rows));
      handlers =
          new Handlers(
              new NativeQueries(client, druid),
              datasources,
              new SqlRequests(sql),
              new JdbcRequests(client, sql),
              new LookupRequests(client, druid),
              tasks,
              supervisors);
    }
    return handlers;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      Parameters.requirePath(request.getRequestURI());
      answer(request, response);
    } catch (UniserveException e) {
      DruidErrors.write(response, e);
    } catch (RuntimeException e) {
      DruidErrors.write(response, Failures.of(e));
    } catch (StackOverflowError e) {
      DruidErrors.write(response, Failures.of(new IllegalArgumentException(e)));
    }
  }

  private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String path = ("" + request.getPathInfo()).replaceFirst("/+$", "");
    String asked = request.getMethod() + " " + path;
    switch (asked) {
      case "POST /v2" -> handlers().queries.answer(body(request), pretty(request), response);
      case "POST /v2/sql" -> handlers().sql.answer(body(request), response);
      case "POST /v2/sql/avatica" -> handlers().jdbc.json(body(request), response);
      case "POST /v2/sql/avatica-protobuf" -> handlers().jdbc.protobuf(body(request), response);
      case "POST /indexer/v1/task" -> handlers().tasks.run(body(request), response);
      case "GET /indexer/v1/tasks", "GET /indexer/v1/completeTasks" ->
          handlers().tasks.list(handlers().datasources.readable().keySet(), request, response);
      case "GET /indexer/v1/runningTasks",
          "GET /indexer/v1/pendingTasks",
          "GET /indexer/v1/waitingTasks" ->
          handlers().tasks.none(response);
      case "GET /v2/datasources" -> handlers().datasources.list(response);
      default -> {
        if (path.startsWith(LOOKUPS)) {
          handlers()
              .lookups
              .answer(
                  request.getMethod(), path.substring(LOOKUPS.length()), body(request), response);
        } else if (asked.startsWith("DELETE /v2/sql/")) {
          boolean running = handlers().sql.cancel(asked.substring("DELETE /v2/sql/".length()));
          response.setStatus(running ? 202 : 404);
        } else if (asked.startsWith("DELETE /v2/")) {
          handlers().queries.cancel(asked.substring("DELETE /v2/".length()));
          response.setStatus(202);
        } else if (path.startsWith(SUPERVISOR)) {
          handlers()
              .supervisors
              .answer(path.substring(SUPERVISOR.length()), request, body(request), response);
        } else if (asked.startsWith(TASK)) {
          handlers().tasks.show(asked.substring(TASK.length()), response);
        } else if (asked.startsWith("GET /v2/datasources/")) {
          handlers().datasources.show(asked.substring("GET /v2/datasources/".length()), response);
        } else {
          throw new UniserveException(
              ErrorCode.NOT_FOUND,
              "there is no " + Excerpt.of(asked.replaceFirst(" ", " /druid")) + " here");
        }
      }
    }
  }

  private static boolean pretty(HttpServletRequest request) {
    return request.getParameterMap().containsKey("pretty");
  }

  private static byte[] body(HttpServletRequest request) throws IOException {
    byte[] body = request.getInputStream().readNBytes(BODY_BYTES_MAX + 1);
    if (body.length > BODY_BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "the body has more than " + BODY_BYTES_MAX + " bytes");
    }
    return body;
  }
}
