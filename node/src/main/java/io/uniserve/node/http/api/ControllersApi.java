package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.kernel.Address;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.http.document.ControllerText;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.ControlMessage.ControllerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code /api/controllers}: shows, adds and removes controllers. The former path {@code
 * /api/routers} answers as it did, with a header that says what to use instead.
 */
public final class ControllersApi {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final UniserveClient client;
  private final HttpSettings settings;

  public ControllersApi(UniserveClient client, HttpSettings settings) {
    this.client = client;
    this.settings = settings;
  }

  public void mount(RoutesConfig routes) {
    routes.get("/api/controllers", context -> list(context, "controllers"));
    routes.post("/api/controllers", this::add);
    routes.delete("/api/controllers/{controller}", this::remove);
    routes.before("/api/routers", ControllersApi::deprecate);
    routes.before("/api/routers/*", ControllersApi::deprecate);
    routes.get("/api/routers", context -> list(context, "routers"));
    routes.post("/api/routers", this::add);
    routes.delete("/api/routers/{controller}", this::remove);
  }

  private static void deprecate(Context context) {
    context.header("Deprecation", "true");
    context.header("Link", "</api/controllers>; rel=\"successor-version\"");
  }

  private void list(Context context, String name) {
    List<Object> controllers = new ArrayList<>();
    client
        .admin()
        .controllers()
        .list()
        .forEach((address, status) -> controllers.add(describe(address, status)));
    answer(context, Map.of(name, controllers));
  }

  private static Map<String, Object> describe(Address address, Optional<ControllerStatus> status) {
    Map<String, Object> controller = new LinkedHashMap<>();
    controller.put("address", ControllerText.of(address));
    controller.put("alive", status.isPresent());
    status.ifPresent(
        known -> {
          controller.put("id", known.self().id());
          controller.put("member", known.members().contains(known.self()));
          controller.put("voting", known.voting().contains(known.self()));
          controller.put("decides", known.decides());
          controller.put(
              "leader",
              known.leader().map(leader -> ControllerText.of(leader.address())).orElse(""));
          controller.put("version", known.version());
        });
    return controller;
  }

  private void add(Context context) {
    Duration timeout = Requests.timeout(context.queryParam("timeoutMillis"), TIMEOUT);
    byte[] body = Requests.textOfAdmin(context, settings.queryBytesMax(), "change the controllers");
    Map<String, Object> given = Settings.object("the controller", Json.parse(body, 0, body.length));
    String address = new Settings("the controller", given).text("address");
    answer(context, members(client.admin().controllers().add(new Address(address), timeout)));
  }

  private void remove(Context context) {
    Duration timeout = Requests.timeout(context.queryParam("timeoutMillis"), TIMEOUT);
    client.admin().controllers().remove(context.pathParam("controller"), timeout);
    context.status(204);
  }

  private static Map<String, Object> members(ControllerStatus status) {
    return Map.of(
        "members", status.members().stream().map(Member::address).map(ControllerText::of).toList());
  }

  private static void answer(Context context, Object document) {
    context.contentType("application/json").result(Json.bytes(document));
  }
}
