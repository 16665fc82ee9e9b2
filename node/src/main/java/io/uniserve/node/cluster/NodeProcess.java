package io.uniserve.node.cluster;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.Transport;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.node.config.HostPort;
import io.uniserve.node.config.NodeConfig;
import io.uniserve.node.config.NodeConfig.Role;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.rpc.RpcService;
import io.uniserve.node.scaling.ProcessMachines;
import io.uniserve.node.scaling.Provision;
import io.uniserve.node.stream.StreamReading;
import io.uniserve.policy.scaling.ScalingPolicies;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.client.context.ClientSettings;
import io.uniserve.runtime.control.Controller;
import io.uniserve.runtime.control.raft.RaftSettings;
import io.uniserve.runtime.control.scaling.Machines;
import io.uniserve.runtime.control.scaling.ScalingParts;
import io.uniserve.runtime.control.scaling.ServerProvider;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.control.settings.PlacementPolicies;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.server.Server;
import io.uniserve.runtime.server.base.ServerSettings;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.backup.ActorBackups;
import io.uniserve.runtime.store.location.DurableStores;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.grpc.GrpcSettings;
import io.uniserve.runtime.wire.grpc.GrpcTransport;
import io.uniserve.runtime.wire.grpc.RoutingTransport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One process of a cluster, with the roles that its configuration gives it. */
public final class NodeProcess implements AutoCloseable {
  /**
   * The patience with a process that is told to end, until others have taken over what depends on
   * it.
   */
  private static final Duration LEAVE_PATIENCE = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(NodeProcess.class);

  private final NodeConfig config;
  private final Plugins plugins;
  private final Engines engines;
  private final Parts parts = new Parts();
  private final SystemClock clock = new SystemClock();
  private final ProductionThreads threads = new ProductionThreads();
  private final Transport transport;
  private Optional<HttpService> http = Optional.empty();
  private Optional<RpcService> rpc = Optional.empty();

  private NodeProcess(NodeConfig config, Plugins plugins) {
    this.config = config;
    this.plugins = plugins;
    engines = new Engines(plugins.engines());
    parts.add(clock);
    GrpcTransport network =
        new GrpcTransport(
            clock,
            threads,
            new WireCodec(engines),
            GrpcSettings.DEFAULT,
            config.security().betweenProcesses());
    parts.add(network);
    transport =
        new RoutingTransport(
            new InProcessNetwork(clock).attach(new Address("this process")), network);
  }

  /**
   * Starts the roles. A server or gateway that does not reach its controller yet goes on trying.
   *
   * @throws UniserveException with {@link ErrorCode#ALREADY_EXISTS} if a port or the directory is
   *     in use; with {@link ErrorCode#INVALID_ARGUMENT} if others could reach an unsecured surface
   */
  public static NodeProcess start(NodeConfig config, Plugins plugins) {
    config.exposures().forEach(what -> LOG.warn("insecure, as stated: {}", what));
    NodeProcess process = new NodeProcess(config, plugins);
    try {
      process.startRoles();
      return process;
    } catch (IOException | RuntimeException e) {
      process.close();
      throw UniserveException.of(e);
    }
  }

  private void startRoles() throws IOException {
    config.directory().ifPresent(directory -> parts.add(DirectoryLock.acquire(directory)));
    for (Role role : config.roles()) {
      switch (role) {
        case CONTROLLER -> startController(config.controller().orElseThrow());
        case SERVER -> startServer(config.server().orElseThrow());
        case GATEWAY -> startGateway(config.gateway().orElseThrow());
      }
    }
  }

  private void startController(NodeConfig.ControllerPart controller) throws IOException {
    RaftSettings agreement = RaftSettings.DEFAULT.withFailureTimeout(controller.failureTimeout());
    parts.add(
        new Controller(
            environment("router"),
            controller.listen().address(),
            controllers(),
            engines,
            policies(controller.placement()),
            new ScalingParts(
                new ScalingPolicies(plugins.scalingPolicies()), provider(controller.scale())),
            ControllerSettings.DEFAULT
                .with(controller.durable() ? agreement : agreement.inMemory())
                .with(controller.placement())));
  }

  private PlacementPolicies policies(PlacementSettings chosen) {
    PlacementPolicies policies = LivePolicies.with(plugins.policies());
    policies.require(chosen.policy());
    return policies;
  }

  private Optional<ServerProvider> provider(SortedMap<String, String> settings) {
    String kind = settings.get("provider");
    return kind == null
        ? Optional.empty()
        : Optional.of(parts.add(new Provision(machines(kind, settings))));
  }

  private Machines machines(String kind, SortedMap<String, String> settings) {
    if (kind.equals("process")) {
      return ProcessMachines.open(settings);
    }
    return plugins.machines().stream()
        .filter(known -> known.name().equals(kind))
        .findFirst()
        .orElseThrow(
            () ->
                UniserveException.invalid(
                    "'scale.provider' is process"
                        + plugins.machines().stream()
                            .map(known -> " or " + known.name())
                            .collect(Collectors.joining())
                        + ", not '"
                        + kind
                        + "'"))
        .open(settings);
  }

  private void startServer(NodeConfig.ServerPart server) throws IOException {
    DurableStore store =
        DurableStores.open(config.store().orElseThrow(), clock, ProductionEnvironment.unseeded());
    parts.add(store);
    Environment environment = environment("server");
    int workers = server.workers().orElse(Runtime.getRuntime().availableProcessors());
    Server started =
        parts.add(
            new Server(
                environment,
                server.name(),
                server.listen().address(),
                controllers(),
                engines,
                new ActorBackups(store, environment),
                scanSlots(ServerSettings.forProcessors(workers), server)
                    .withScrub(server.scrub())));
    parts.add(() -> started.leave(LEAVE_PATIENCE));
  }

  private static ServerSettings scanSlots(ServerSettings usual, NodeConfig.ServerPart server) {
    return server.scanSlots().map(usual::withScanSlots).orElse(usual);
  }

  private void startGateway(HostPort listen) {
    HttpSettings settings =
        config
            .security()
            .http()
            .settings(listen.host(), listen.port())
            .withBodyBytesPerSecond(config.bodyBytesPerSecondMin());
    ClusterClient client =
        new ClusterClient(
            environment(new NoStorage()), controllers(), engines, ClientSettings.DEFAULT);
    parts.add(client);
    StreamReading streams =
        parts.add(
            StreamReading.start(
                client::readStreams, Plugins.streamSources(), listen.host() + ":" + listen.port()));
    HttpService service = new HttpService(client, plugins.gateways(), settings, streams);
    parts.add(service);
    http = Optional.of(service);
    rpc =
        config
            .flight()
            .map(at -> config.security().http().rpcSettings(at.host(), at.port()))
            .map(each -> new RpcService(service.guarded(), plugins.rpcGateways(), each));
    rpc.ifPresent(parts::add);
  }

  private List<Address> controllers() {
    return config.controllers().stream().map(HostPort::address).toList();
  }

  private Environment environment(String role) throws IOException {
    return environment(new FileStorage(config.directory().orElseThrow().resolve(role)));
  }

  private Environment environment(Storage storage) {
    return new ProductionEnvironment(
        clock, threads, storage, ProductionEnvironment.unseeded(), transport);
  }

  /** Returns the URL of HTTP, if this is a gateway. */
  public Optional<String> httpUrl() {
    return http.map(HttpService::url);
  }

  /** Returns the URL of Flight SQL, if it is served. */
  public Optional<String> flightUrl() {
    return rpc.map(RpcService::url);
  }

  @Override
  public void close() {
    parts.close();
  }
}
