package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.http.document.TableDocuments;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.runtime.client.Backups.Restored;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.BackupMessage.LeftOut;
import io.uniserve.runtime.wire.BackupMessage.StoredTable;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** {@code /api/backups}: the tables in the durable store, and tables restored from it. */
public final class BackupsApi {
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  private final UniserveClient client;
  private final HttpSettings settings;

  public BackupsApi(UniserveClient client, HttpSettings settings) {
    this.client = client;
    this.settings = settings;
  }

  public void mount(RoutesConfig routes) {
    routes.get("/api/backups", this::list);
    routes.post("/api/backups/restore", this::restore);
    routes.post("/api/tables/{table}/backup", this::backUp);
    routes.post("/api/tables/{table}/recover", this::recover);
  }

  private void list(Context context) {
    List<Object> tables =
        client.backups().storedTables(timeout(context)).stream()
            .<Object>map(this::describe)
            .toList();
    answer(context, Map.of("tables", tables));
  }

  private Map<String, Object> describe(StoredTable table) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("name", table.definition().name());
    document.put("cluster", table.cluster());
    document.put("id", table.id());
    document.put("here", table.cluster().equals(client.state().cluster()));
    document.put("engine", table.definition().engine());
    document.put("actors", table.definition().partitioner().living());
    document.put("retentionSeconds", table.definition().retention().toSeconds());
    document.put("created", Instant.ofEpochMilli(table.createdMillis()).toString());
    table
        .droppedMillis()
        .ifPresent(millis -> document.put("dropped", Instant.ofEpochMilli(millis).toString()));
    return document;
  }

  private void backUp(Context context) {
    Map<String, Object> positions = new LinkedHashMap<>();
    client
        .backups()
        .backUp(context.pathParam("table"), timeout(context))
        .forEach((actor, at) -> positions.put(String.valueOf(actor.number()), at.toString()));
    answer(context, Map.of("positions", positions));
  }

  /** Recovers a table. Data is lost only if the caller has accepted that. */
  private void recover(Context context) {
    byte[] body = Requests.textOfAdmin(context, settings.queryBytesMax(), "recover tables");
    Settings document = new Settings("recover", Json.parse(body, 0, body.length));
    boolean accepted = document.flag("acceptLoss", false);
    document.finish();
    if (!accepted) {
      throw UniserveException.invalid(
          "recover: 'acceptLoss' must be true: data without a complete copy is lost");
    }
    answer(
        context, describe(client.backups().recover(context.pathParam("table"), timeout(context))));
  }

  private void restore(Context context) {
    byte[] body = Requests.textOfAdmin(context, settings.queryBytesMax(), "restore tables");
    List<Object> tables =
        client
            .backups()
            .restore(wanted(Json.parse(body, 0, body.length)), timeout(context))
            .stream()
            .<Object>map(BackupsApi::describe)
            .toList();
    context.status(201);
    answer(context, Map.of("tables", tables));
  }

  private static Map<String, Object> describe(TableState table) {
    return TableDocuments.describe(table);
  }

  /** Describes a restored table, and what an ordered one lacks. */
  private static Map<String, Object> describe(Restored restored) {
    Map<String, Object> document = new LinkedHashMap<>(describe(restored.table()));
    restored.leftOut().ifPresent(leftOut -> document.put("leftOut", describe(leftOut)));
    return document;
  }

  private static Map<String, Object> describe(LeftOut leftOut) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("from", leftOut.number());
    leftOut
        .timeMillis()
        .ifPresent(millis -> document.put("time", Instant.ofEpochMilli(millis).toString()));
    document.put("actor", (long) leftOut.actor());
    return document;
  }

  private static Restore wanted(Object document) {
    Settings settings = new Settings("restore", document);
    List<String> tables = settings.list("tables").stream().map(String::valueOf).toList();
    String asOf = settings.text("asOf", "");
    String name = settings.text("name", "");
    int replicas = settings.integer("replicas", 0);
    settings.finish();
    return new Restore(
        tables,
        asOf.isEmpty() ? Optional.empty() : Optional.of(moment(asOf)),
        name.isEmpty() ? Optional.empty() : Optional.of(name),
        replicas == 0 ? OptionalInt.empty() : OptionalInt.of(replicas));
  }

  private static Instant moment(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      throw UniserveException.invalid(
          "restore: the moment ('asOf', or --to) must be one such as 2026-03-01T12:00:00Z, not '"
              + text
              + "'");
    }
  }

  private static Duration timeout(Context context) {
    return Requests.timeout(context.queryParam("timeoutMillis"), TIMEOUT);
  }

  private static void answer(Context context, Object document) {
    context.contentType("application/json").result(Json.bytes(document));
  }
}
