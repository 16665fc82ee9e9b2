package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.http.document.MoveDocuments;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.PlacementMessage.Change;
import io.uniserve.runtime.wire.PlacementMessage.PlacementDecided;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.Reshaping;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * {@code POST /api/placement/preview} and {@code /apply} let a policy decide, {@code {"policy":
 * NAME}} another than the cluster's; {@code POST} and {@code DELETE /api/placement/pause} pause and
 * resume policies; {@code GET /api/tables/T/actors/N/placement} reports where an actor is and why;
 * {@code POST /api/tables/T/actors/N/split} splits it, and {@code .../merge} merges it with
 * another; {@code POST} and {@code DELETE /api/tables/T/actors/N/pins/S} pin it to a server and
 * unpin it.
 */
public final class PlacementApi {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** The timeout of a split, which copies the files of a large actor. */
  private static final Duration SPLIT_TIMEOUT = Duration.ofMinutes(10);

  private static final int NOBODY = -1;

  private final UniserveClient client;
  private final HttpSettings settings;

  public PlacementApi(UniserveClient client, HttpSettings settings) {
    this.client = client;
    this.settings = settings;
  }

  public void mount(RoutesConfig routes) {
    routes.post("/api/placement/preview", context -> decide(context, false));
    routes.post("/api/placement/apply", context -> decide(context, true));
    routes.post("/api/placement/pause", context -> pause(context, true));
    routes.delete("/api/placement/pause", context -> pause(context, false));
    routes.get("/api/tables/{table}/actors/{actor}/placement", this::why);
    routes.post("/api/tables/{table}/actors/{actor}/split", this::split);
    routes.post("/api/tables/{table}/actors/{actor}/merge", this::merge);
    routes.post("/api/tables/{table}/actors/{actor}/pins/{server}", context -> pin(context, true));
    routes.delete(
        "/api/tables/{table}/actors/{actor}/pins/{server}", context -> pin(context, false));
  }

  private void decide(Context context, boolean apply) {
    byte[] body = Requests.textOfAdmin(context, settings.queryBytesMax(), "place actors");
    Settings request =
        new Settings("placement", body.length == 0 ? Map.of() : Json.parse(body, 0, body.length));
    Optional<String> policy = Optional.ofNullable(request.text("policy", null));
    request.finish();
    PlacementDecided decided = client.admin().decidePlacement(policy, apply, timeout(context));
    answer(context, describe(client.state(), decided));
  }

  private static Map<String, Object> describe(ClusterState state, PlacementDecided decided) {
    List<Object> changes = new ArrayList<>();
    for (Change change : decided.changes()) {
      TableState table = state.tables().get(change.actor().table());
      if (table != null) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("table", table.definition().name());
        one.put("actor", change.actor().number());
        one.put("from", change.from());
        one.put("to", change.to());
        one.put("why", change.why());
        changes.add(one);
      }
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("policy", decided.policy());
    document.put("summary", decided.summary());
    document.put("applied", decided.applied());
    document.put("changes", changes);
    document.put("left", decided.left());
    return document;
  }

  private void pause(Context context, boolean paused) {
    ClusterState state = client.admin().pausePlacement(paused, timeout(context));
    answer(context, Map.of("version", state.version(), "paused", state.placementPaused()));
  }

  private void pin(Context context, boolean pinned) {
    String table = context.pathParam("table");
    int actor = MovesApi.actor(context);
    client.admin().pin(table, actor, context.pathParam("server"), pinned, timeout(context));
    answer(context, describe(table, actor));
  }

  private void split(Context context) {
    String table = context.pathParam("table");
    int actor = MovesApi.actor(context);
    byte[] body = Requests.textOfAdmin(context, settings.queryBytesMax(), "split actors");
    Settings request =
        new Settings("split", body.length == 0 ? Map.of() : Json.parse(body, 0, body.length));
    Optional<PartitionKey> at =
        Optional.ofNullable(request.text("at", null)).map(text -> key(context, text));
    request.finish();
    Duration timeout = Requests.timeout(context.queryParam("timeoutMillis"), SPLIT_TIMEOUT);
    client.admin().split(table, actor, at, timeout);
    answer(context, describe(table, actor));
  }

  private PartitionKey key(Context context, String text) {
    TableDefinition table = Requests.table(context, client).definition();
    return client.planner(table).key(table, text);
  }

  private void merge(Context context) {
    String table = context.pathParam("table");
    int actor = MovesApi.actor(context);
    byte[] body = Requests.textOfAdmin(context, settings.queryBytesMax(), "merge actors");
    Settings request =
        new Settings("merge", body.length == 0 ? Map.of() : Json.parse(body, 0, body.length));
    int with = request.integer("with", NOBODY);
    request.finish();
    Duration timeout = Requests.timeout(context.queryParam("timeoutMillis"), SPLIT_TIMEOUT);
    ClusterState state =
        client
            .admin()
            .merge(table, actor, with == NOBODY ? Optional.empty() : Optional.of(with), timeout);
    int into =
        state
            .table(table)
            .flatMap(merged -> ended(merged, actor))
            .map(PartitionChange.Merge::into)
            .orElse(actor);
    answer(context, describe(table, into));
  }

  /** Returns the merge by which an actor ended. */
  private static Optional<PartitionChange.Merge> ended(TableState table, int number) {
    return table.definition().partitioner().history().stream()
        .filter(PartitionChange.Merge.class::isInstance)
        .map(PartitionChange.Merge.class::cast)
        .filter(merge -> merge.ends(number))
        .findFirst();
  }

  private void why(Context context) {
    answer(context, describe(context.pathParam("table"), MovesApi.actor(context)));
  }

  private Map<String, Object> describe(String name, int number) {
    TableState table =
        client
            .table(name)
            .orElseThrow(
                () ->
                    new UniserveException(ErrorCode.NOT_FOUND, "there is no table '" + name + "'"));
    if (number < 0 || number >= table.actors().size()) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "table '" + name + "' has no actor " + number);
    }
    ended(table, number)
        .ifPresent(
            merge -> {
              throw new UniserveException(
                  ErrorCode.NOT_FOUND,
                  "actor " + number + " of table '" + name + "' is part of " + merge.into());
            });
    Map<String, Object> document = describe(name, number, table.actors().get(number));
    document.put("actors", table.definition().partitioner().living());
    table.definition().partitioner().history().stream()
        .filter(change -> change.into() == number)
        .findFirst()
        .ifPresent(
            change -> {
              switch (change) {
                case PartitionChange.Cut cut -> document.put("partOf", cut.actor());
                case PartitionChange.Merge merge ->
                    document.put("mergedFrom", List.of(merge.first(), merge.second()));
              }
            });
    return document;
  }

  private static Map<String, Object> describe(String table, int number, ActorState actor) {
    Map<String, Object> copies = new LinkedHashMap<>();
    for (CopyState copy : actor.copies()) {
      copies.put(copy.server(), copy.status().name().toLowerCase(Locale.ROOT));
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("table", table);
    document.put("actor", number);
    document.put("primary", actor.primary());
    document.put("copies", copies);
    document.put("pins", actor.pins());
    actor
        .placed()
        .ifPresent(
            placed -> {
              document.put("placed", placed.servers());
              document.put("why", placed.why());
            });
    actor
        .reshaping()
        .ifPresent(
            what -> {
              switch (what) {
                case Reshaping.Splitting split -> document.put("splitting", split.why());
                case Reshaping.Merging merge -> {
                  document.put("mergingWith", merge.with());
                  document.put("merging", merge.why());
                }
              }
            });
    actor
        .move()
        .ifPresent(
            move ->
                document.put(
                    "move",
                    Map.of(
                        "from",
                        move.from(),
                        "to",
                        move.to(),
                        "stage",
                        MoveDocuments.stage(move, actor),
                        "why",
                        move.why())));
    return document;
  }

  private static Duration timeout(Context context) {
    return Requests.timeout(context.queryParam("timeoutMillis"), TIMEOUT);
  }

  private static void answer(Context context, Map<String, Object> document) {
    context.contentType("application/json").result(Json.bytes(document));
  }
}
