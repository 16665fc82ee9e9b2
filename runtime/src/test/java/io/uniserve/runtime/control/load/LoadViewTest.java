package io.uniserve.runtime.control.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.Usage;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.wire.LoadMessage.CopyFigures;
import io.uniserve.runtime.wire.LoadMessage.ReportQueries;
import io.uniserve.runtime.wire.LoadMessage.ReportServer;
import io.uniserve.runtime.wire.LoadMessage.ServerFigures;
import io.uniserve.runtime.wire.LoadMessage.SetFigures;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.Replay;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadViewTest {
  private static final ServerFigures FIGURES = new ServerFigures(0.5, 2, new Usage(10, 20), 3);

  private final LoadView view = new LoadView();
  private ClusterState state = ClusterState.EMPTY;

  private void apply(ControlRecord record) {
    state = Replay.apply(state, record);
  }

  private void servers(String... names) {
    for (String name : names) {
      apply(new ControlRecord.ServerJoined(name, new Address(name), 1));
    }
  }

  private long table(String name, String engine, List<List<String>> placement) {
    long id = state.version() + 1;
    TableDefinition definition =
        new TableDefinition(
            name,
            engine,
            new Partitioner.Hash(placement.size()),
            placement.getFirst().size(),
            Durability.NONE,
            Map.of());
    apply(new ControlRecord.TableCreated(id, definition, placement));
    return id;
  }

  private static CopyFigures copy(long table, int actor, double cost, double busy) {
    return new CopyFigures(new ActorId(table, actor), cost, busy, busy * 100, new Usage(5, 7));
  }

  @Test
  void costsOfTwoEnginesAreComparedByTheThreadsThatTheyKeepBusy() {
    servers("a", "b");
    long one = table("one", "first", List.of(List.of("a", "b"), List.of("a", "b")));
    long two = table("two", "second", List.of(List.of("b", "a")));
    view.take(
        new ReportServer("a", 1, FIGURES, List.of(copy(one, 0, 3_000, 0.2), copy(two, 0, 1, 0.1))));
    view.take(new ReportServer("b", 1, FIGURES, List.of(copy(one, 1, 1_000, 0.2))));
    var loads = view.actors(state);
    assertThat(loads.get(new ActorId(one, 0)).load()).isCloseTo(0.3, within(1e-9));
    assertThat(loads.get(new ActorId(one, 1)).load()).isCloseTo(0.1, within(1e-9));
    assertThat(loads.get(new ActorId(two, 0)).load()).isCloseTo(0.1, within(1e-9));
  }

  @Test
  void whatIsNotToldAgainStays() {
    servers("a");
    long id = table("t", "e", List.of(List.of("a"), List.of("a")));
    view.take(new ReportServer("a", 1, FIGURES, List.of(copy(id, 0, 1, 0.5), copy(id, 1, 1, 0.5))));
    view.take(new ReportServer("a", 1, FIGURES, List.of(copy(id, 1, 0, 0))));
    assertThat(view.actors(state).get(new ActorId(id, 0)).operatorsPerSecond()).isEqualTo(50);
    assertThat(view.actors(state).get(new ActorId(id, 1)).operatorsPerSecond()).isZero();
  }

  @Test
  void anotherLifeOfAServerBeginsWithNothing() {
    servers("a", "b");
    long id = table("t", "e", List.of(List.of("a")));
    view.take(new ReportServer("a", 1, FIGURES, List.of(copy(id, 0, 1, 0.5))));
    assertThat(view.isComplete(state)).isFalse();
    view.take(new ReportServer("b", 1, FIGURES, List.of()));
    assertThat(view.isComplete(state)).isTrue();
    apply(new ControlRecord.ServerJoined("a", new Address("a"), 2));
    assertThat(view.isComplete(state)).isFalse();
    view.take(new ReportServer("a", 2, FIGURES, List.of()));
    assertThat(view.isComplete(state)).isTrue();
    assertThat(view.actors(state)).isEmpty();
  }

  @Test
  void whatIsGoneIsForgotten() {
    servers("a");
    long id = table("t", "e", List.of(List.of("a")));
    view.take(new ReportServer("a", 1, FIGURES, List.of(copy(id, 0, 1, 0.5))));
    view.take(new ReportQueries("c", List.of(new SetFigures(id, List.of(0), 3)), 1), 0);
    view.prune(state, Duration.ofSeconds(1).toNanos());
    assertThat(view.sets()).hasSize(1);
    assertThat(view.told(state).othersPerSecond()).isEqualTo(1);
    view.prune(state, Duration.ofSeconds(40).toNanos());
    assertThat(view.sets()).isEmpty();
    apply(new ControlRecord.TableDropped(id));
    assertThat(view.actors(state)).isEmpty();
  }

  @Test
  void theSameSetOfTwoClientsIsOne() {
    servers("a");
    long id = table("t", "e", List.of(List.of("a"), List.of("a")));
    view.take(new ReportQueries("c", List.of(new SetFigures(id, List.of(0, 1), 3)), 0), 0);
    view.take(
        new ReportQueries(
            "d",
            List.of(new SetFigures(id, List.of(0, 1), 2), new SetFigures(id, List.of(1), 9)),
            0),
        0);
    view.take(new ReportQueries("d", List.of(new SetFigures(id, List.of(1), 0)), 0), 0);
    assertThat(view.sets()).containsExactly(new SetFigures(id, List.of(0, 1), 5));
  }

  @Test
  void clientsAndTheirSetsAreBounded() {
    for (int i = 0; i <= LoadView.REPORTERS_MAX; i++) {
      view.take(new ReportQueries("c" + i, List.of(new SetFigures(1, List.of(i), 1)), 0), 0);
    }
    assertThat(view.sets()).hasSize(LoadView.REPORTERS_MAX);
    for (int i = 0; i <= LoadView.SETS_OF_REPORTER_MAX; i++) {
      view.take(new ReportQueries("c0", List.of(new SetFigures(2, List.of(i), 1)), 0), 0);
    }
    assertThat(view.sets().size())
        .isEqualTo(LoadView.REPORTERS_MAX - 1 + LoadView.SETS_OF_REPORTER_MAX);
  }
}
