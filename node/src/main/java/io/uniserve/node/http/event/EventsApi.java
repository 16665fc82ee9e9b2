package io.uniserve.node.http.event;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.access.Access;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.json.Json;
import io.uniserve.runtime.client.ClusterView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * {@code GET /api/events}: a stream of server-sent events, {@code change} for each change of the
 * cluster and {@code load} about once a second. {@code GET /api/events/recent}: the latest changes.
 */
public final class EventsApi implements AutoCloseable {
  private static final long CLOSE_MILLIS = 1000;

  private final EventLog events;
  private final LoadFeed load;
  private final Access access;
  private final Semaphore streams;
  private final int streamsMax;

  public EventsApi(EventLog events, LoadFeed load, HttpSettings settings) {
    this.events = events;
    this.load = load;
    access = settings.access();
    streamsMax = settings.eventStreamsMax();
    streams = new Semaphore(streamsMax);
  }

  public void mount(RoutesConfig routes) {
    routes.get("/api/events", this::stream);
    routes.get("/api/events/recent", this::recent);
  }

  private void recent(Context context) {
    context
        .contentType("application/json")
        .result(
            Json.bytes(Map.of("events", events.latest().stream().map(Event::document).toList())));
  }

  private void stream(Context context) throws IOException {
    if (!streams.tryAcquire()) {
      throw new UniserveException(
          ErrorCode.OVERLOADED, streamsMax + " event streams are open already");
    }
    EventStream stream = new EventStream();
    try (ClusterView.Subscription _ =
            events.listen(event -> stream.offer("change", event.document()));
        ClusterView.Subscription _ = load.listen(stream)) {
      context.res().setContentType("text/event-stream");
      context.res().setCharacterEncoding(StandardCharsets.UTF_8.name());
      context.res().setHeader("Cache-Control", "no-store");
      // The end is sent before this stream counts as over, after which the server may stop.
      try (OutputStream out = context.res().getOutputStream()) {
        stream.writeTo(out, () -> known(context));
      }
    } finally {
      streams.release();
    }
  }

  /** Returns whether the listener still may receive events, since a stream can outlive a token. */
  private boolean known(Context context) {
    try {
      access.identify(context.req(), true).requireWholeCluster();
      return true;
    } catch (UniserveException e) {
      return false;
    }
  }

  /** Ends all streams and waits a moment until their listeners have been told. */
  @Override
  public void close() {
    load.close();
    try {
      if (streams.tryAcquire(streamsMax, CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
        streams.release(streamsMax);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
