package io.uniserve.node.cluster;

import io.uniserve.api.Engine;
import io.uniserve.api.RowFormat;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.api.policy.ScalingPolicy;
import io.uniserve.runtime.client.Gateway;
import io.uniserve.runtime.client.RpcGateway;
import io.uniserve.runtime.client.stream.StreamSourceKind;
import io.uniserve.runtime.control.scaling.MachinesKind;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The engines and gateways of a process: those on its class path, and those of each directory of
 * {@code plugins} in the distribution, which has a class loader of its own.
 *
 * @param engines every engine
 * @param gateways every gateway over HTTP
 * @param rpcGateways every gateway over gRPC
 * @param policies the developer's own placement policies, by the simple names of their classes
 * @param machines every kind of machines that servers can be started on
 * @param scalingPolicies the developer's own scaling policies
 */
public record Plugins(
    List<Engine<?>> engines,
    List<Gateway> gateways,
    List<RpcGateway> rpcGateways,
    Map<String, PlacementPolicy> policies,
    List<MachinesKind> machines,
    List<ScalingPolicy> scalingPolicies) {
  /** The system property that names the directory of the distribution. */
  public static final String HOME = "uniserve.home";

  /** Copies the lists. */
  public Plugins {
    engines = List.copyOf(engines);
    gateways = List.copyOf(gateways);
    rpcGateways = List.copyOf(rpcGateways);
    policies = Collections.unmodifiableMap(new TreeMap<>(policies));
    machines = List.copyOf(machines);
    scalingPolicies = List.copyOf(scalingPolicies);
  }

  /** Creates plug-ins with only engines and gateways. */
  public Plugins(List<Engine<?>> engines, List<Gateway> gateways, List<RpcGateway> rpcGateways) {
    this(engines, gateways, rpcGateways, Map.of(), List.of(), List.of());
  }

  /** Returns everything that this process can load. */
  public static Plugins load() {
    List<ClassLoader> loaders = loaders();
    List<Engine<?>> engines = new ArrayList<>();
    services(Engine.class, loaders).forEach(engines::add);
    Map<String, PlacementPolicy> policies = new TreeMap<>();
    services(PlacementPolicy.class, loaders)
        .forEach(policy -> policies.put(policy.getClass().getSimpleName(), policy));
    return new Plugins(
        engines,
        services(Gateway.class, loaders),
        services(RpcGateway.class, loaders),
        policies,
        services(MachinesKind.class, loaders),
        services(ScalingPolicy.class, loaders));
  }

  /** Returns the format of files of rows with this ending, if there is one. */
  public static Optional<RowFormat> rowFormat(String ending) {
    return services(RowFormat.class, loaders()).stream()
        .filter(format -> format.endings().contains(ending))
        .findFirst();
  }

  /** Returns every kind of source of streams. */
  public static List<StreamSourceKind> streamSources() {
    return services(StreamSourceKind.class, loaders());
  }

  private static List<ClassLoader> loaders() {
    ClassLoader program = Plugins.class.getClassLoader();
    List<ClassLoader> loaders = new ArrayList<>(List.of(program));
    directories().forEach(directory -> loaders.add(loader(directory, program)));
    return loaders;
  }

  /** Returns services, each from the loader that brings it. */
  private static <T> List<T> services(Class<T> service, List<ClassLoader> loaders) {
    return loaders.stream()
        .flatMap(
            loader ->
                ServiceLoader.load(service, loader).stream()
                    .filter(provider -> provider.type().getClassLoader() == loader)
                    .map(ServiceLoader.Provider::get))
        .toList();
  }

  private static List<Path> directories() {
    Optional<Path> plugins =
        Optional.ofNullable(System.getProperty(HOME)).map(home -> Path.of(home, "plugins"));
    return plugins.filter(Files::isDirectory).map(Plugins::children).orElse(List.of());
  }

  private static URLClassLoader loader(Path directory, ClassLoader parent) {
    URL[] jars =
        children(directory).stream()
            .filter(file -> file.toString().endsWith(".jar"))
            .map(Plugins::url)
            .toArray(URL[]::new);
    return new URLClassLoader("plugin " + directory.getFileName(), jars, parent);
  }

  private static List<Path> children(Path directory) {
    try (Stream<Path> children = Files.list(directory)) {
      return children.sorted().toList();
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }

  private static URL url(Path file) {
    try {
      return file.toUri().toURL();
    } catch (MalformedURLException e) {
      throw UniserveException.of(e);
    }
  }
}
