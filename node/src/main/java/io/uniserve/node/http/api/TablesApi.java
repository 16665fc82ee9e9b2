package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.http.document.TableDocuments;
import io.uniserve.node.json.Json;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.Map;

/** {@code /api/tables}: creates, drops and shows tables. */
public final class TablesApi {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final UniserveClient client;
  private final HttpSettings settings;

  public TablesApi(UniserveClient client, HttpSettings settings) {
    this.client = client;
    this.settings = settings;
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
    TableState table =
        client.createTable(TableDocuments.definition(Json.parse(body, 0, body.length)), timeout);
    context.status(201);
    answer(context, TableDocuments.describe(table));
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
