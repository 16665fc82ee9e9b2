package io.uniserve.node.cluster;

import io.uniserve.api.Engine;
import io.uniserve.api.UniserveException;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.runtime.client.Gateway;
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
 * {@code plugins} in the distribution, whose libraries a class loader of their own keeps apart.
 *
 * @param engines every engine
 * @param gateways every gateway
 * @param policies the developer's own placement policies, by the simple names of their classes
 */
public record Plugins(
    List<Engine<?>> engines, List<Gateway> gateways, Map<String, PlacementPolicy> policies) {
  /** The system property that names the directory of the distribution. */
  public static final String HOME = "uniserve.home";

  /** Copies the lists. */
  public Plugins {
    engines = List.copyOf(engines);
    gateways = List.copyOf(gateways);
    policies = Collections.unmodifiableMap(new TreeMap<>(policies));
  }

  /** Engines and gateways alone. */
  public Plugins(List<Engine<?>> engines, List<Gateway> gateways) {
    this(engines, gateways, Map.of());
  }

  /** Everything that this process can load. */
  public static Plugins load() {
    List<Engine<?>> engines = new ArrayList<>();
    List<Gateway> gateways = new ArrayList<>();
    Map<String, PlacementPolicy> policies = new TreeMap<>();
    ClassLoader program = Plugins.class.getClassLoader();
    add(program, engines, gateways, policies);
    for (Path directory : directories()) {
      add(loader(directory, program), engines, gateways, policies);
    }
    return new Plugins(engines, gateways, policies);
  }

  @SuppressWarnings("rawtypes") // a service is looked up by its raw class
  private static void add(
      ClassLoader loader,
      List<Engine<?>> engines,
      List<Gateway> gateways,
      Map<String, PlacementPolicy> policies) {
    ServiceLoader.load(Engine.class, loader).stream()
        .filter(provider -> provider.type().getClassLoader() == loader)
        .forEach((ServiceLoader.Provider<Engine> provider) -> engines.add(provider.get()));
    ServiceLoader.load(Gateway.class, loader).stream()
        .filter(provider -> provider.type().getClassLoader() == loader)
        .forEach(provider -> gateways.add(provider.get()));
    ServiceLoader.load(PlacementPolicy.class, loader).stream()
        .filter(provider -> provider.type().getClassLoader() == loader)
        .forEach(provider -> policies.put(provider.type().getSimpleName(), provider.get()));
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
