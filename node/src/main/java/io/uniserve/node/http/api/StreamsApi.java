package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.http.document.StreamDocuments;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.stream.StreamReading;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.stream.StreamRunner;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import io.uniserve.runtime.wire.stream.StreamState;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * {@code GET /api/streams} lists streams, {@code POST} creates one; {@code GET} and {@code DELETE
 * /api/streams/NAME} show and drop one; {@code POST /api/streams/NAME/pause} and {@code resume}
 * pause and resume it.
 */
public final class StreamsApi {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String ONE = "/api/streams/{stream}";

  private final UniserveClient client;
  private final HttpSettings settings;
  private final StreamReading reading;

  public StreamsApi(UniserveClient client, HttpSettings settings, StreamReading reading) {
    this.client = client;
    this.settings = settings;
    this.reading = reading;
  }

  public void mount(RoutesConfig routes) {
    routes.get("/api/streams", this::list);
    routes.post("/api/streams", this::create);
    routes.get(ONE, this::show);
    routes.delete(ONE, this::drop);
    routes.post(ONE + "/pause", context -> pause(context, true));
    routes.post(ONE + "/resume", context -> pause(context, false));
  }

  private void list(Context context) {
    ClusterState state = client.state();
    List<Map<String, Object>> streams =
        state.streams().values().stream().map(stream -> describe(state, stream)).toList();
    answer(context, Map.of("streams", streams));
  }

  private void show(Context context) {
    ClusterState state = client.state();
    answer(context, describe(state, state.requireStream(context.pathParam("stream"))));
  }

  private Map<String, Object> describe(ClusterState state, StreamState stream) {
    return StreamDocuments.describe(
        state, stream, reading.runner().flatMap((StreamRunner one) -> one.problem(stream.name())));
  }

  private void create(Context context) {
    byte[] body = Requests.textOfAdmin(context, settings.queryBytesMax(), "create streams");
    Settings request = new Settings("stream", Json.parse(body, 0, body.length));
    StreamDefinition definition = StreamDocuments.definition(request);
    reading.requireReadable(definition);
    ClusterState state = client.admin().createStream(definition, timeout(context));
    answer(context, describe(state, state.requireStream(definition.name())));
  }

  private void pause(Context context, boolean paused) {
    String name = context.pathParam("stream");
    ClusterState state = client.admin().pauseStream(name, paused, timeout(context));
    answer(context, describe(state, state.requireStream(name)));
  }

  private void drop(Context context) {
    String name = context.pathParam("stream");
    client.admin().dropStream(name, timeout(context));
    answer(context, Map.of("dropped", name));
  }

  private static Duration timeout(Context context) {
    return Requests.timeout(context.queryParam("timeoutMillis"), TIMEOUT);
  }

  private static void answer(Context context, Map<String, Object> document) {
    context.contentType("application/json").result(Json.bytes(document));
  }
}
