package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.Ring;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The state of mending after failures, as cluster state says. */
public final class Mending {
  private final ClusterShape shape;
  private final Supplier<ClusterState> state;

  /** The last life of each server that has ended. */
  private final Map<String, Long> ended = new TreeMap<>();

  public Mending(ClusterShape shape, Supplier<ClusterState> state) {
    this.shape = shape;
    this.state = state;
  }

  /** Notes that a server's process has ended, whether cluster state says so or not. */
  public void ended(String server) {
    ended.put(server, incarnation(server));
  }

  private long incarnation(String server) {
    ServerState known = state.get().servers().get(server);
    return known == null ? 0 : known.incarnation();
  }

  /**
   * Returns whether every server is alive, ended ones again, and every actor can do without one
   * copy.
   */
  public boolean redundant() {
    return allAlive()
        && shape.serverNames().stream()
            .allMatch(server -> incarnation(server) > ended.getOrDefault(server, 0L))
        && state.get().requireTable(ClusterShape.TABLE).living().values().stream()
            .allMatch(this::redundant);
  }

  private boolean allAlive() {
    return shape.serverNames().stream().allMatch(state.get()::alive);
  }

  private boolean redundant(ActorState actor) {
    long readable =
        actor.copies().stream()
            .map(CopyState::status)
            .filter(status -> status == Status.READY)
            .count();
    return readable >= shape.table().replicas();
  }

  /**
   * Returns whether every server is alive, and every actor has as many readable copies as it
   * should.
   */
  public boolean whole() {
    Optional<TableState> table = state.get().table(ClusterShape.TABLE);
    return table.isPresent()
        && allAlive()
        && table.get().living().values().stream().allMatch(this::whole);
  }

  private boolean whole(ActorState actor) {
    List<String> wanted = actor.wanted();
    List<String> held = actor.copies().stream().map(CopyState::server).toList();
    long placed =
        held.stream()
            .filter(server -> wanted.contains(server) || actor.pins().contains(server))
            .count();
    boolean done = state.get().placementPaused() || held.containsAll(wanted);
    return done
        && actor.move().isEmpty()
        && actor.reshaping().isEmpty()
        && held.size() == Math.max(shape.table().replicas(), placed)
        && actor.copies().stream().allMatch(copy -> copy.status() == Status.READY);
  }

  /**
   * Returns whether a table on a ring is at rest: no change waits, the copies of each actor are on
   * the owner of its keys and its successors and nowhere else, all are read, and the owner leads.
   * Between two looks of the coordinator the owners may lead already while other copies have yet to
   * begin to move, or to go.
   */
  public static boolean ringRests(TableState table) {
    Ring ring = table.ring().orElseThrow().ring();
    return table.ring().get().queue().isEmpty()
        && table.definition().partitioner().ring().entrySet().stream()
            .allMatch(
                actor ->
                    rests(
                        table.actors().get(actor.getValue()),
                        ring.order(actor.getKey()).subList(0, table.definition().replicas())));
  }

  private static boolean rests(ActorState actor, List<String> holders) {
    return actor.move().isEmpty()
        && actor.reshaping().isEmpty()
        && actor.primary().equals(holders.getFirst())
        && actor.copies().size() == holders.size()
        && actor.copies().stream()
            .allMatch(copy -> holders.contains(copy.server()) && copy.status() == Status.READY);
  }
}
