package io.uniserve.policy.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Usage;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.ClusterLoad.ActorLoad;
import io.uniserve.api.policy.ClusterLoad.ServerLoad;
import io.uniserve.api.policy.Placement.Copy;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FewestCopiesTest {
  private final TreeMap<String, ServerLoad> servers = new TreeMap<>();
  private final TreeMap<ActorId, ActorLoad> actors = new TreeMap<>();

  @Test
  void newActorsAreSpreadAsInTheExample() {
    servers("a", "b", "c");
    for (int number = 0; number < 3; number++) {
      actor(number, 2);
    }
    assertThat(placed(0)).containsExactly("a", "b");
    assertThat(placed(1)).containsExactly("c", "a");
    assertThat(placed(2)).containsExactly("b", "c");
  }

  @Test
  void copiesStayAndTheMissingOneGoesToTheEmptiestServer() {
    servers("a", "b", "c");
    actor(0, 2, "a", "b");
    actor(1, 2, "b");
    assertThat(placed(0)).containsExactly("a", "b");
    assertThat(placed(1)).containsExactly("b", "c");
  }

  @Test
  void tooFewServersGiveFewerCopiesAndNeverTwoOnOne() {
    servers("a", "b");
    actor(0, 3);
    assertThat(placed(0)).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void manyActorsAreEven() {
    servers("a", "b", "c", "d");
    for (int number = 0; number < 16; number++) {
      actor(number, 2);
    }
    SortedMap<ActorId, List<Copy>> placed =
        new FewestCopies().place(new ClusterLoad(servers, actors)).copies();
    for (String server : servers.keySet()) {
      assertThat(
              placed.values().stream()
                  .flatMap(List::stream)
                  .filter(copy -> copy.server().equals(server)))
          .hasSize(8);
      assertThat(
              placed.values().stream().filter(copies -> copies.getFirst().server().equals(server)))
          .hasSize(4);
    }
  }

  @Test
  void aServerThatDrainsKeepsNothing() {
    servers("a", "b", "c");
    servers.put("b", new ServerLoad(0, Usage.NONE, 0, true));
    actor(0, 2, "b", "a");
    assertThat(placed(0)).containsExactly("a", "c");
  }

  private void servers(String... names) {
    for (String name : names) {
      servers.put(name, new ServerLoad(0, Usage.NONE, 0));
    }
  }

  private void actor(int number, int replicas, String... copies) {
    actors.put(new ActorId(1, number), new ActorLoad(replicas, 0, Usage.NONE, List.of(copies)));
  }

  private List<String> placed(int number) {
    return new FewestCopies()
        .place(new ClusterLoad(servers, actors)).of(new ActorId(1, number)).stream()
            .map(Copy::server)
            .toList();
  }
}
