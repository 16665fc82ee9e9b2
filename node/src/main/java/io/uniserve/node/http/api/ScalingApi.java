package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.ControlMessage.Scaling;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code GET /api/scaling} returns the state of scaling; {@code POST} with any of {@code {"min": N,
 * "max": N, "policy": TEXT, "intervalMillis": N, "paused": BOOLEAN}} changes that, and leaves the
 * others as they are.
 */
public final class ScalingApi {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final UniserveClient client;
  private final HttpSettings settings;

  public ScalingApi(UniserveClient client, HttpSettings settings) {
    this.client = client;
    this.settings = settings;
  }

  public void mount(RoutesConfig routes) {
    routes.get("/api/scaling", this::show);
    routes.post("/api/scaling", this::set);
  }

  private void show(Context context) {
    answer(context, client.view().scaling(timeout(context)));
  }

  private void set(Context context) {
    byte[] body =
        Requests.textOfAdmin(
            context, settings.queryBytesMax(), "say how the cluster follows its load");
    Settings request = new Settings("scaling", Json.parse(body, 0, body.length));
    Optional<ScalingSettings> before = client.view().scaling(timeout(context)).state().settings();
    String policy = request.text("policy", before.map(ScalingSettings::policy).orElse(null));
    if (policy == null) {
      throw UniserveException.invalid("scaling: 'policy' is missing");
    }
    int min = request.integer("min", before.map(ScalingSettings::serversMin).orElse(1));
    int max = request.integer("max", before.map(ScalingSettings::serversMax).orElse(0));
    if (max == 0) {
      throw UniserveException.invalid("scaling: 'max' is missing");
    }
    Duration interval = before.map(ScalingSettings::interval).orElse(ScalingSettings.INTERVAL);
    int intervalMillis = request.integer("intervalMillis", Math.toIntExact(interval.toMillis()));
    boolean paused = request.flag("paused", before.map(ScalingSettings::paused).orElse(false));
    request.finish();
    client
        .admin()
        .scale(
            new ScalingSettings(min, max, policy, Duration.ofMillis(intervalMillis), paused),
            timeout(context));
    answer(context, client.view().scaling(timeout(context)));
  }

  private static Duration timeout(Context context) {
    return Requests.timeout(context.queryParam("timeoutMillis"), TIMEOUT);
  }

  private static void answer(Context context, Scaling scaling) {
    Map<String, Object> document = new LinkedHashMap<>();
    scaling
        .state()
        .settings()
        .ifPresent(
            given -> {
              document.put("min", given.serversMin());
              document.put("max", given.serversMax());
              document.put("policy", given.policy());
              document.put("intervalMillis", given.interval().toMillis());
              document.put("paused", given.paused());
            });
    document.put("fleet", scaling.state().fleet());
    scaling.state().changed().ifPresent(when -> document.put("changed", when.toString()));
    document.put("why", scaling.state().why());
    document.put("opinion", scaling.opinion());
    document.put("utilization", scaling.utilization());
    document.put("problem", scaling.problem());
    context.contentType("application/json").result(Json.bytes(document));
  }
}
