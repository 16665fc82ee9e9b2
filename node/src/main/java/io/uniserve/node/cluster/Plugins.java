package io.uniserve.node.cluster;

import io.uniserve.api.Engine;
import io.uniserve.api.UniserveException;
import io.uniserve.runtime.client.Gateway;
import io.uniserve.runtime.client.RpcGateway;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * The engines and gateways of a process: those on its class path, and those of each directory of
 * {@code plugins} in the distribution, whose libraries a class loader of their own keeps apart.
 *
 * @param engines every engine
 * @param gateways every gateway over HTTP
 * @param rpcGateways every gateway over gRPC
 */
public record Plugins(
    List<Engine<?>> engines, List<Gateway> gateways, List<RpcGateway> rpcGateways) {
  /** The system property that names the directory of the distribution. */
  public static final String HOME = "uniserve.home";

  /** Copies the lists. */
  public Plugins {
    engines = List.copyOf(engines);
    gateways = List.copyOf(gateways);
    rpcGateways = List.copyOf(rpcGateways);
  }

  /** Everything that this process can load. */
  public static Plugins load() {
    List<Engine<?>> engines = new ArrayList<>();
    List<Gateway> gateways = new ArrayList<>();
    List<RpcGateway> rpcGateways = new ArrayList<>();
    ClassLoader program = Plugins.class.getClassLoader();
    List<ClassLoader> loaders = new ArrayList<>(List.of(program));
    directories().forEach(directory -> loaders.add(loader(directory, program)));
    for (ClassLoader loader : loaders) {
      services(Engine.class, loader).forEach(engine -> engines.add((Engine<?>) engine));
      gateways.addAll(services(Gateway.class, loader));
      rpcGateways.addAll(services(RpcGateway.class, loader));
    }
    return new Plugins(engines, gateways, rpcGateways);
  }

  private static <T> List<T> services(Class<T> type, ClassLoader loader) {
    return ServiceLoader.load(type, loader).stream()
        .filter(provider -> provider.type().getClassLoader() == loader)
        .map(ServiceLoader.Provider::get)
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
