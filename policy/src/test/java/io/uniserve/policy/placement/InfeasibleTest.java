package io.uniserve.policy.placement;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.PlacementPolicy;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a constraint that cannot be met is named, with the servers and actors concerned. */
class InfeasibleTest {

  static List<PlacementPolicy> policies() {
    return PolicyPropertiesTest.policies();
  }

  @ParameterizedTest
  @MethodSource("policies")
  void pins(PlacementPolicy policy) {
    Clusters clusters = new Clusters().servers("a").server("b", 0, true);
    refused(
        policy,
        clusters.actor(1, 0, 1, List.of("b")).build(),
        "pins: actor 1/0 is pinned to b, which drains");
    refused(
        policy,
        new Clusters().servers("a").actor(1, 0, 1, List.of("x")).build(),
        "pins: actor 1/0 is pinned to x, which is not there");
  }

  @ParameterizedTest
  @MethodSource("policies")
  void memory(PlacementPolicy policy) {
    refused(
        policy,
        new Clusters().server("a", 9, false).actor(1, 10, 1, List.of()).build(),
        "memory: actor 1/0 wants 1 copies of 10 bytes, which only 0 servers can hold");
    refused(
        policy,
        new Clusters()
            .server("a", 10, false)
            .actor(1, 6, 1, List.of())
            .actor(1, 6, 1, List.of())
            .build(),
        "memory: all copies together need 12 bytes, the servers have 10");
    refused(
        policy,
        new Clusters()
            .server("a", 10, false)
            .server("b", 90, false)
            .actor(1, 6, 1, List.of("a"))
            .actor(1, 6, 1, List.of("a"))
            .build(),
        "memory: what is pinned to a needs 12 bytes of its 10");
  }

  @ParameterizedTest
  @MethodSource("policies")
  void load(PlacementPolicy policy) {
    refused(
        policy,
        new Clusters()
            .server("a", 10, false)
            .server("b", 2, false)
            .actor(9, 8, 1, List.of(), "a")
            .actor(1, 1, 1, List.of(), "b")
            .build(),
        "load tolerance: ");
  }

  @ParameterizedTest
  @MethodSource("policies")
  void servers(PlacementPolicy policy) {
    refused(policy, new Clusters().server("a", 0, true).actor(1, "a").build(), "servers: ");
  }

  private static void refused(PlacementPolicy policy, ClusterLoad cluster, String message) {
    assertThatThrownBy(() -> policy.place(cluster)).hasMessageStartingWith(message);
  }
}
