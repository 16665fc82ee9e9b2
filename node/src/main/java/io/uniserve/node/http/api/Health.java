package io.uniserve.node.http.api;

import io.javalin.http.Context;
import io.uniserve.node.json.Json;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@code GET /health}: 200 if every actor has a copy that can be read now, otherwise 503. {@code
 * GET /ready}: 200 once this process knows the cluster, so that requests may be sent to it.
 *
 * @param client the client of the cluster
 */
public record Health(UniserveClient client) {

  public void answer(Context context) {
    ClusterState state = client.state();
    long unreadable =
        state.tables().values().stream()
            .flatMap(table -> table.living().values().stream())
            .filter(actor -> !readable(state, actor))
            .count();
    boolean healthy = unreadable == 0 && state.servers().keySet().stream().anyMatch(state::alive);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("healthy", healthy);
    document.put("version", state.version());
    document.put("serversAlive", state.servers().keySet().stream().filter(state::alive).count());
    document.put("actorsUnreadable", unreadable);
    context
        .status(healthy ? 200 : 503)
        .contentType("application/json")
        .result(Json.bytes(document));
  }

  public void answerReady(Context context) {
    long version = client.state().version();
    context
        .status(version > 0 ? 200 : 503)
        .contentType("application/json")
        .result(Json.bytes(Map.of("ready", version > 0, "version", version)));
  }

  private static boolean readable(ClusterState state, ActorState actor) {
    return actor.copies().stream()
        .anyMatch(copy -> copy.status() == CopyState.Status.READY && state.alive(copy.server()));
  }
}
