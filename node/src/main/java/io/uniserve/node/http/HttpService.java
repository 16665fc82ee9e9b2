package io.uniserve.node.http;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.util.JavalinBindException;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.access.GuardedClient;
import io.uniserve.node.http.access.AccessFilter;
import io.uniserve.node.http.access.ConsolePages;
import io.uniserve.node.http.api.BackupsApi;
import io.uniserve.node.http.api.ControllersApi;
import io.uniserve.node.http.api.Health;
import io.uniserve.node.http.api.KnownParameters;
import io.uniserve.node.http.api.MovesApi;
import io.uniserve.node.http.api.OrderedApi;
import io.uniserve.node.http.api.PlacementApi;
import io.uniserve.node.http.api.QueryApi;
import io.uniserve.node.http.api.RecordBatch;
import io.uniserve.node.http.api.RecordsApi;
import io.uniserve.node.http.api.RingApi;
import io.uniserve.node.http.api.ScalingApi;
import io.uniserve.node.http.api.ScanApi;
import io.uniserve.node.http.api.ScansApi;
import io.uniserve.node.http.api.SessionApi;
import io.uniserve.node.http.api.StreamsApi;
import io.uniserve.node.http.api.TablesApi;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.http.base.HttpThreads;
import io.uniserve.node.http.base.Statuses;
import io.uniserve.node.http.connection.BodyBudget;
import io.uniserve.node.http.connection.BodyFilter;
import io.uniserve.node.http.connection.Connections;
import io.uniserve.node.http.connection.LeftoverFilter;
import io.uniserve.node.http.connection.TextFilter;
import io.uniserve.node.http.document.ClusterDocument;
import io.uniserve.node.http.document.LoadDocument;
import io.uniserve.node.http.error.ErrorAnswer;
import io.uniserve.node.http.error.Refusals;
import io.uniserve.node.http.error.ServerErrors;
import io.uniserve.node.http.event.EventLog;
import io.uniserve.node.http.event.EventsApi;
import io.uniserve.node.http.event.LoadFeed;
import io.uniserve.node.http.event.TroubleFeed;
import io.uniserve.node.http.metrics.LoadSampler;
import io.uniserve.node.http.metrics.Loads;
import io.uniserve.node.http.metrics.MeteredClient;
import io.uniserve.node.http.metrics.Metrics;
import io.uniserve.node.http.metrics.RequestMetrics;
import io.uniserve.node.json.Json;
import io.uniserve.node.stream.StreamReading;
import io.uniserve.runtime.client.Gateway;
import io.uniserve.runtime.client.UniserveClient;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;

/** The serving of a cluster over HTTP: JSON interface, gateways, metrics and console. */
public final class HttpService implements AutoCloseable {
  private static final Duration LOAD_TIMEOUT = Duration.ofSeconds(5);

  private final UniserveClient cluster;
  private final UniserveClient client;
  private final HttpSettings settings;
  private final StreamReading reading;
  private final PrometheusMeterRegistry registry = Metrics.registry();
  private final RequestMetrics requests;
  private final Statuses statuses;
  private final Loads loads;
  private final EventLog events;
  private final TroubleFeed troubles;
  private final EventsApi streams;
  private final Javalin server;

  /**
   * Begins to serve.
   *
   * @param client the client of the cluster; outlives this service
   * @throws UniserveException with {@link ErrorCode#ALREADY_EXISTS} if the port is in use
   */
  public HttpService(UniserveClient client, List<Gateway> gateways, HttpSettings settings) {
    this(client, gateways, settings, StreamReading.NONE);
  }

  /**
   * Begins to serve, with what the process knows of streams.
   *
   * @param reading the streams that this process reads; outlives this service
   */
  public HttpService(
      UniserveClient client, List<Gateway> gateways, HttpSettings settings, StreamReading reading) {
    this.reading = reading;
    requests = new RequestMetrics(registry);
    cluster = client;
    this.client = new GuardedClient(new MeteredClient(client, requests));
    this.settings = settings;
    statuses = new Statuses(client, settings.sampleEvery().dividedBy(2));
    loads = new Loads(client, settings.sampleEvery().dividedBy(2));
    Metrics.addCluster(registry, client, statuses, loads);
    events = new EventLog(client);
    troubles = new TroubleFeed(client, statuses, events, settings.sampleEvery());
    LoadSampler sampler = new LoadSampler(client, statuses, requests.window());
    streams = new EventsApi(events, new LoadFeed(sampler, settings.sampleEvery()), settings);
    server = Javalin.create(config -> configure(config, gateways));
    start();
  }

  private void configure(JavalinConfig config, List<Gateway> gateways) {
    config.jetty.threadPool = HttpThreads.pool();
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.http.compressionStrategy = CompressionStrategy.NONE;
    config.router.javaLangErrorHandler(
        (response, error) -> ErrorAnswer.unexpected(response, error));
    Connections.configure(config.jetty, settings);
    config.jetty.modifyServletContextHandler(
        context -> {
          Refusals refusals = new Refusals(gateways);
          context.setErrorHandler(new ServerErrors());
          addFilter(context, new LeftoverFilter());
          addFilter(context, new TextFilter(refusals));
          addFilter(context, new AccessFilter(settings.access(), refusals));
          addFilter(
              context,
              new BodyFilter(BodyBudget.ofHeap(), settings.bodyBytesPerSecondMin(), refusals));
          context.setMaxFormContentSize(BodyFilter.FORM_BYTES_MAX);
          for (Gateway gateway : gateways) {
            context.addServlet(new ServletHolder(gateway.servlet(client)), gateway.path() + "/*");
          }
        });
    mount(config.routes);
  }

  private static void addFilter(ServletContextHandler context, Filter filter) {
    context.addFilter(new FilterHolder(filter), "/*", EnumSet.allOf(DispatcherType.class));
  }

  private void mount(RoutesConfig routes) {
    routes.before("/api/*", KnownParameters::check);
    new ConsolePages().mount(routes);
    new SessionApi(settings.access()).mount(routes);
    new TablesApi(client, settings, events).mount(routes);
    new BackupsApi(client, settings).mount(routes);
    new ControllersApi(client, settings).mount(routes);
    new RecordsApi(client, settings).mount(routes);
    new QueryApi(client, settings).mount(routes);
    new ScanApi(client, settings).mount(routes);
    new ScansApi(requests.scans()).mount(routes);
    new OrderedApi(client).mount(routes);
    new MovesApi(client, settings).mount(routes);
    new ScalingApi(client, settings).mount(routes);
    new PlacementApi(client, settings).mount(routes);
    new RingApi(client, settings).mount(routes);
    new StreamsApi(client, settings, reading).mount(routes);
    streams.mount(routes);
    routes.get(
        "/api/cluster",
        context ->
            context
                .contentType("application/json")
                .result(
                    Json.bytes(ClusterDocument.of(client.state(), statuses.get(), loads.get()))));
    routes.get(
        "/api/load",
        context ->
            context
                .contentType("application/json")
                .result(
                    Json.bytes(LoadDocument.of(client.state(), client.view().load(LOAD_TIMEOUT)))));
    routes.get("/health", context -> new Health(cluster).answer(context));
    routes.get("/ready", context -> new Health(cluster).answerReady(context));
    routes.get(
        "/metrics",
        context ->
            context
                .contentType("text/plain; version=0.0.4; charset=utf-8")
                .result(registry.scrape()));
    routes.exception(
        HttpResponseException.class,
        (e, context) -> ErrorAnswer.answer(context, known(context, e)));
    routes.exception(
        RecordBatch.RejectedLineException.class,
        (e, context) -> ErrorAnswer.answer(context, e, OptionalLong.of(e.line())));
    routes.exception(UniserveException.class, (e, context) -> ErrorAnswer.answer(context, e));
    routes.exception(
        Exception.class, (e, context) -> ErrorAnswer.answer(context, UniserveException.of(e)));
  }

  /** Returns the error for a request that the HTTP server itself refuses. */
  private static UniserveException known(Context context, HttpResponseException refused) {
    return switch (refused.getStatus()) {
      case 404 ->
          new UniserveException(ErrorCode.NOT_FOUND, "there is nothing at " + context.path());
      case 413 -> new UniserveException(ErrorCode.TOO_LARGE, "the request is too large");
      default -> UniserveException.invalid(refused.getMessage());
    };
  }

  private void start() {
    try {
      server.start();
    } catch (JavalinBindException e) {
      closeParts();
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS,
          "port " + settings.port() + " on " + settings.host() + " is in use; choose another",
          e);
    } catch (RuntimeException e) {
      closeParts();
      throw e;
    }
  }

  /**
   * Returns the client that every surface serves. It counts requests and checks what each caller
   * may do.
   */
  public UniserveClient guarded() {
    return client;
  }

  /** Returns the port that is listened on. */
  public int port() {
    return server.port();
  }

  /** Returns the URL where it is served. */
  public String url() {
    return settings.url(port());
  }

  @Override
  public void close() {
    closeParts();
    server.stop();
  }

  private void closeParts() {
    streams.close();
    troubles.close();
    events.close();
    registry.close();
  }
}
