package io.uniserve.runtime.control.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Usage;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.ClusterLoad.ActorLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.runtime.control.load.LoadSkew;
import io.uniserve.runtime.wire.PlacementMessage.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PlacementChangesTest {
  private static final ActorId COLD = new ActorId(1, 0);
  private static final ActorId HOT = new ActorId(1, 1);

  private final TreeMap<ActorId, ActorLoad> actors = new TreeMap<>();
  private final TreeMap<ActorId, List<Placement.Copy>> wanted = new TreeMap<>();

  PlacementChangesTest() {
    actors.put(COLD, new ActorLoad(1, 1, Usage.NONE, List.of("a")));
    actors.put(HOT, new ActorLoad(1, 5, Usage.NONE, List.of("b")));
    wanted.put(COLD, copies("a"));
    wanted.put(HOT, copies("b"));
  }

  private ClusterLoad cluster() {
    TreeMap<String, ClusterLoad.ServerLoad> servers = new TreeMap<>();
    for (String name : List.of("a", "b", "c", "d")) {
      servers.put(name, new ClusterLoad.ServerLoad(0, Usage.NONE, 0));
    }
    return new ClusterLoad(servers, actors);
  }

  private static List<Placement.Copy> copies(String... servers) {
    double share = 2.0 / (servers.length * (servers.length + 1));
    List<Placement.Copy> copies = new ArrayList<>();
    for (int i = 0; i < servers.length; i++) {
      copies.add(new Placement.Copy(servers[i], share * (i + 1)));
    }
    return copies;
  }

  private List<Change> changes(int copiesMax) {
    return PlacementChanges.of(
        cluster(), new Placement(wanted, new TreeMap<>(), "test"), copiesMax);
  }

  @Test
  void theHottestComeFirstAndWhatStaysIsNoChange() {
    assertThat(changes(8)).isEmpty();
    wanted.put(COLD, copies("c"));
    wanted.put(HOT, copies("b", "c"));
    assertThat(changes(8)).extracting(Change::actor).containsExactly(HOT, COLD);
  }

  @Test
  void copiesForLoadAreBoundedAndTheGreatestSharesAndPinsAreKept() {
    wanted.put(HOT, copies("b", "c", "d"));
    assertThat(changes(2)).singleElement().extracting(Change::to).isEqualTo(List.of("d", "c"));
    actors.put(HOT, new ActorLoad(1, 5, Usage.NONE, List.of("b"), new TreeSet<>(List.of("b"))));
    assertThat(changes(2)).singleElement().extracting(Change::to).isEqualTo(List.of("b", "d"));
  }

  @Test
  void whatATableAsksForIsNotBounded() {
    actors.put(HOT, new ActorLoad(3, 5, Usage.NONE, List.of("b")));
    wanted.put(HOT, copies("b", "c", "d"));
    assertThat(changes(1).getFirst().to()).hasSize(3);
  }

  @Test
  void aPolicyThatBreaksItsContractIsNotFollowed() {
    for (List<Placement.Copy> wrong :
        List.of(copies(), copies("z"), copies("c", "c"), List.<Placement.Copy>of())) {
      wanted.put(HOT, wrong);
      assertThatThrownBy(() -> changes(8))
          .isInstanceOf(UniserveException.class)
          .hasMessageContaining("the placement policy puts actor 1/1");
    }
    actors.put(HOT, new ActorLoad(1, 5, Usage.NONE, List.of("b"), new TreeSet<>(List.of("b"))));
    wanted.put(HOT, copies("c"));
    assertThatThrownBy(() -> changes(8)).isInstanceOf(UniserveException.class);
  }

  @Test
  void onlyUnevenLoadIsUneven() {
    assertThat(LoadSkew.of(cluster()).exceeds(0.1, 1.2)).isTrue();
    assertThat(LoadSkew.of(cluster()).exceeds(6, 1.2)).isFalse();
    assertThat(LoadSkew.of(cluster()).exceeds(0.1, 4)).isFalse();
  }
}
