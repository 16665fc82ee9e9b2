package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.http.document.TableDocuments;
import io.uniserve.node.http.event.EventLog;
import io.uniserve.node.json.Json;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.RingPlacement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** {@code /api/tables}: creates, drops and shows tables. */
public final class TablesApi {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final UniserveClient client;
  private final HttpSettings settings;
  private final EventLog events;

  /**
   * Serves tables.
   *
   * @param events the log where a table is told of that could not be made: no change of the cluster
   *     says so
   */
  public TablesApi(UniserveClient client, HttpSettings settings, EventLog events) {
    this.client = client;
    this.settings = settings;
    this.events = events;
  }

  public void mount(RoutesConfig routes) {
    routes.get("/api/tables", this::list);
    routes.post("/api/tables", this::create);
    routes.get("/api/tables/{table}", this::show);
    routes.delete("/api/tables/{table}", this::drop);
  }

  private void list(Context context) {
    ClusterState state = client.state();
    answer(
        context,
        Map.of(
            "tables",
            state.tableIds().keySet().stream()
                .map(name -> TableDocuments.describe(state.requireTable(name)))
                .toList()));
  }

  private void create(Context context) {
    Duration timeout = Requests.timeout(context.queryParam("timeoutMillis"), TIMEOUT);
    byte[] body = Requests.textOfAdmin(context, settings.queryBytesMax(), "create tables");
    Object document = Json.parse(body, 0, body.length);
    TableDefinition definition =
        TableDocuments.definition(
            document, (table, text) -> client.planner(table).key(table, text));
    Optional<RingPlacement> ring = TableDocuments.ring(document);
    context.status(201);
    answer(context, TableDocuments.describe(create(definition, ring, timeout)));
  }

  private TableState create(
      TableDefinition definition, Optional<RingPlacement> ring, Duration timeout) {
    try {
      return ring.isPresent()
          ? client.tables().createTable(definition, ring.get(), timeout)
          : client.createTable(definition, timeout);
    } catch (UniserveException e) {
      if (e.code().party() != ErrorCode.Party.CALLER) {
        events.add("unmade", "table " + definition.name() + " was not made", e.getMessage());
      }
      throw e;
    }
  }

  private void show(Context context) {
    answer(context, TableDocuments.describe(Requests.table(context, client)));
  }

  private void drop(Context context) {
    client.dropTable(
        context.pathParam("table"), Requests.timeout(context.queryParam("timeoutMillis"), TIMEOUT));
    context.status(204);
  }

  private static void answer(Context context, Object document) {
    context.contentType("application/json").result(Json.bytes(document));
  }
}
