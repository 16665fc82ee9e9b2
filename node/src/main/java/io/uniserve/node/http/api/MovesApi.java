package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.http.document.MoveDocuments;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.ClusterState;
import java.time.Duration;
import java.util.Map;

/**
 * {@code POST /api/tables/T/actors/N/move} with a body {@code {"from": SERVER, "to": SERVER}} moves
 * a copy, {@code DELETE} cancels the move; {@code POST} and {@code DELETE /api/servers/S/drain}
 * empty a server or use it again. Each is answered once it is recorded; {@code GET /api/moves}
 * reports the progress of the moves.
 */
public final class MovesApi {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final UniserveClient client;
  private final HttpSettings settings;

  public MovesApi(UniserveClient client, HttpSettings settings) {
    this.client = client;
    this.settings = settings;
  }

  public void mount(RoutesConfig routes) {
    routes.get("/api/moves", context -> answer(context, client.state()));
    routes.post("/api/tables/{table}/actors/{actor}/move", this::move);
    routes.delete("/api/tables/{table}/actors/{actor}/move", this::cancel);
    routes.post("/api/servers/{server}/drain", context -> drain(context, true));
    routes.delete("/api/servers/{server}/drain", context -> drain(context, false));
  }

  private void move(Context context) {
    byte[] body = Requests.textOfAdmin(context, settings.queryBytesMax(), "move actors");
    Settings request = new Settings("move", Json.parse(body, 0, body.length));
    String from = request.text("from");
    String to = request.text("to");
    request.finish();
    answer(
        context,
        client
            .admin()
            .move(context.pathParam("table"), actor(context), from, to, timeout(context)));
  }

  private void cancel(Context context) {
    answer(
        context,
        client.admin().cancelMove(context.pathParam("table"), actor(context), timeout(context)));
  }

  private void drain(Context context, boolean draining) {
    answer(context, client.admin().drain(context.pathParam("server"), draining, timeout(context)));
  }

  static int actor(Context context) {
    String number = context.pathParam("actor");
    try {
      return Integer.parseInt(number);
    } catch (NumberFormatException e) {
      throw UniserveException.invalid("an actor is named by its number, not '" + number + "'");
    }
  }

  private static Duration timeout(Context context) {
    return Requests.timeout(context.queryParam("timeoutMillis"), TIMEOUT);
  }

  private static void answer(Context context, ClusterState state) {
    context
        .contentType("application/json")
        .result(Json.bytes(Map.of("version", state.version(), "moves", MoveDocuments.of(state))));
  }
}
