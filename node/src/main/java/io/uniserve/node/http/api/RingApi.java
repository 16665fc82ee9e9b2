package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.http.document.RingDocuments;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.runtime.wire.ring.RingState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code GET /api/tables/T/ring} reports the ring of servers that a table is placed on; {@code
 * POST} submits a change of it, and waits for its end if it has {@code "wait": true}.
 */
public final class RingApi {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** The timeout of a change that is waited for, which moves copies. */
  private static final Duration WAIT_TIMEOUT = Duration.ofMinutes(10);

  private static final int WHATEVER = -1;

  private final UniserveClient client;
  private final HttpSettings settings;

  public RingApi(UniserveClient client, HttpSettings settings) {
    this.client = client;
    this.settings = settings;
  }

  public void mount(RoutesConfig routes) {
    routes.get("/api/tables/{table}/ring", this::show);
    routes.post("/api/tables/{table}/ring", this::change);
  }

  private void show(Context context) {
    TableState table = Requests.table(context, client);
    answer(context, RingDocuments.describe(client.state(), table, ring(table)));
  }

  private static RingState ring(TableState table) {
    return table
        .ring()
        .orElseThrow(
            () ->
                UniserveException.invalid(
                    "table '"
                        + table.definition().name()
                        + "' is placed by policies, not on a ring"));
  }

  private void change(Context context) {
    byte[] body = Requests.textOfAdmin(context, settings.queryBytesMax(), "change rings");
    TableState table = Requests.table(context, client);
    Settings request =
        new Settings("ring", body.length == 0 ? Map.of() : Json.parse(body, 0, body.length));
    RingChange change =
        RingDocuments.change(
            request,
            table.definition().partitioner(),
            ring(table).last(table.definition().replicas()));
    int after = request.integer("after", WHATEVER);
    boolean wait = request.flag("wait", false);
    request.finish();
    Duration timeout =
        Requests.timeout(context.queryParam("timeoutMillis"), wait ? WAIT_TIMEOUT : TIMEOUT);
    String name = table.definition().name();
    long number =
        client
            .admin()
            .changeRing(
                name,
                change,
                after == WHATEVER ? Optional.empty() : Optional.of((long) after),
                timeout);
    if (wait) {
      client.admin().awaitRingChange(name, number, timeout);
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("number", number);
    answer.put("change", RingDocuments.text(table.definition().partitioner(), change));
    answer.put("done", wait);
    answer(context, answer);
  }

  private static void answer(Context context, Map<String, Object> document) {
    context.contentType("application/json").result(Json.bytes(document));
  }
}
