package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.kernel.Address;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.ControlMessage.RouterStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /api/routers}: shows, adds and removes routers. */
public final class RoutersApi {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final UniserveClient client;
  private final HttpSettings settings;

  public RoutersApi(UniserveClient client, HttpSettings settings) {
    this.client = client;
    this.settings = settings;
  }

  public void mount(RoutesConfig routes) {
    routes.get("/api/routers", this::list);
    routes.post("/api/routers", this::add);
    routes.delete("/api/routers/{router}", this::remove);
  }

  private void list(Context context) {
    List<Object> routers = new ArrayList<>();
    client.routers().list().forEach((address, status) -> routers.add(describe(address, status)));
    answer(context, Map.of("routers", routers));
  }

  private static Map<String, Object> describe(Address address, Optional<RouterStatus> status) {
    Map<String, Object> router = new LinkedHashMap<>();
    router.put("address", address.value());
    router.put("alive", status.isPresent());
    status.ifPresent(
        known -> {
          router.put("id", known.self().id());
          router.put("member", known.members().contains(known.self()));
          router.put("voting", known.voting().contains(known.self()));
          router.put("decides", known.decides());
          router.put("leader", known.leader().map(leader -> leader.address().value()).orElse(""));
          router.put("version", known.version());
        });
    return router;
  }

  private void add(Context context) {
    Duration timeout = Requests.timeout(context.queryParam("timeoutMillis"), TIMEOUT);
    byte[] body = Requests.textOfAdmin(context, settings.queryBytesMax(), "change the routers");
    Map<String, Object> given = Settings.object("the router", Json.parse(body, 0, body.length));
    String address = new Settings("the router", given).text("address");
    answer(context, members(client.routers().add(new Address(address), timeout)));
  }

  private void remove(Context context) {
    Duration timeout = Requests.timeout(context.queryParam("timeoutMillis"), TIMEOUT);
    client.routers().remove(context.pathParam("router"), timeout);
    context.status(204);
  }

  private static Map<String, Object> members(RouterStatus status) {
    return Map.of(
        "members", status.members().stream().map(Member::address).map(Address::value).toList());
  }

  private static void answer(Context context, Object document) {
    context.contentType("application/json").result(Json.bytes(document));
  }
}
