package io.uniserve.node.embedded;

import io.uniserve.api.Engine;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.api.policy.ScalingPolicy;
import io.uniserve.policy.scanning.GrantPolicy;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.server.base.ServerSettings;
import io.uniserve.runtime.wire.LoadSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of an embedded cluster.
 *
 * @param directory the directory of all its data; created if needed, used by one cluster at a time
 * @param servers the number of servers, 1 to 64, named {@code s1}, {@code s2} and so on
 * @param engines the engines that its tables may choose
 * @param store the durable store; by default a directory {@code store} below {@code directory}
 * @param placement the settings of load balancing
 * @param load the measurement of load
 * @param policies the developer's own placement policies, by name
 * @param workers threads of each server that run operators, and as many that run updates; if
 *     absent, all servers share as many of each as there are processors
 * @param scalingPolicies the developer's own, which may be chosen by {@code own:NAME}
 * @param grants the choice of the scan that gets a free slot of a server
 */
public record EmbeddedSettings(
    Path directory,
    int servers,
    List<? extends Engine<?>> engines,
    Optional<String> store,
    PlacementSettings placement,
    LoadSettings load,
    Map<String, PlacementPolicy> policies,
    Optional<Integer> workers,
    List<? extends ScalingPolicy> scalingPolicies,
    GrantPolicy grants) {
  private static final int SERVERS_MAX = 64;

  /** Checks the number of servers. */
  public EmbeddedSettings {
    if (servers < 1 || servers > SERVERS_MAX) {
      throw UniserveException.invalid(
          "an embedded cluster has 1 to " + SERVERS_MAX + " servers, not " + servers);
    }
    directory = directory.toAbsolutePath().normalize();
    engines = List.copyOf(engines);
    scalingPolicies = List.copyOf(scalingPolicies);
  }

  /** Creates settings of a cluster whose load is balanced on request. */
  public EmbeddedSettings(
      Path directory, int servers, List<? extends Engine<?>> engines, Optional<String> store) {
    this(
        directory,
        servers,
        engines,
        store,
        PlacementSettings.DEFAULT,
        LoadSettings.DEFAULT,
        Map.of(),
        Optional.empty(),
        List.of(),
        ServerSettings.GRANTS);
  }

  /** Returns the same settings with another balancing of load. */
  public EmbeddedSettings with(PlacementSettings other, Map<String, PlacementPolicy> own) {
    return new EmbeddedSettings(
        directory, servers, engines, store, other, load, own, workers, scalingPolicies, grants);
  }

  /** Returns the same settings with another measurement of load. */
  public EmbeddedSettings with(LoadSettings other) {
    return new EmbeddedSettings(
        directory,
        servers,
        engines,
        store,
        placement,
        other,
        policies,
        workers,
        scalingPolicies,
        grants);
  }

  /** Returns the same settings with threads for each server. */
  public EmbeddedSettings withWorkers(int threads) {
    return new EmbeddedSettings(
        directory,
        servers,
        engines,
        store,
        placement,
        load,
        policies,
        Optional.of(threads),
        scalingPolicies,
        grants);
  }

  /** Returns the same settings with the developer's own scaling policies. */
  public EmbeddedSettings withScalingPolicies(List<? extends ScalingPolicy> own) {
    return new EmbeddedSettings(
        directory, servers, engines, store, placement, load, policies, workers, own, grants);
  }

  /** Returns the same settings with another choice of the scan that gets a free slot. */
  public EmbeddedSettings withGrants(GrantPolicy other) {
    return new EmbeddedSettings(
        directory,
        servers,
        engines,
        store,
        placement,
        load,
        policies,
        workers,
        scalingPolicies,
        other);
  }

  /** Returns the URI of the durable store. */
  String storeUri() {
    return store.orElseGet(() -> directory.resolve("store").toUri().toString());
  }
}
