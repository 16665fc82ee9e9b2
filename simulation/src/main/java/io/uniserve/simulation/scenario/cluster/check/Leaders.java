package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.SimulatedProcess;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The check that actors get leaders. An actor with an open complete copy, on a server that is
 * reached by a majority of controllers that reach each other, has a primary within {@link
 * #LONGEST}.
 */
public final class Leaders {
  /** A time longer than any fault: after it, no effect of a fault keeps anybody from voting. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private static final Duration LOOK_INTERVAL = Duration.ofMillis(100);

  private final SimulatedCluster cluster;
  private final ClusterShape shape;
  private final Holdings holdings;
  private final Supplier<ClusterState> state;

  /** The times since which actors have been without a leader that could have one. */
  private final Map<Integer, Long> sinceNanos = new TreeMap<>();

  private long nextLookNanos;

  public Leaders(
      SimulatedCluster cluster,
      ClusterShape shape,
      Holdings holdings,
      Supplier<ClusterState> state) {
    this.cluster = cluster;
    this.shape = shape;
    this.holdings = holdings;
    this.state = state;
  }

  /** Looks now and then. */
  public void look() {
    long now = cluster.scheduler().nanos();
    Optional<TableState> table = state.get().table(ClusterShape.TABLE);
    if (now >= nextLookNanos && table.isPresent()) {
      nextLookNanos = now + LOOK_INTERVAL.toNanos();
      sinceNanos.keySet().retainAll(table.get().living().keySet());
      table.get().living().forEach((number, actor) -> look(number, actor, now));
    }
  }

  private void look(int number, ActorState actor, long now) {
    if (led(actor) || actor.complete().stream().noneMatch(server -> canLead(server, number))) {
      sinceNanos.remove(number);
      return;
    }
    long since = sinceNanos.computeIfAbsent(number, absent -> now);
    Invariant.COMPLETE_COPIES_ARE_LED.require(
        now - since <= LONGEST.toNanos(),
        () -> "nobody leads actor " + number + " since " + since / 1e9 + " s: " + actor);
  }

  private boolean led(ActorState actor) {
    return state.get().alive(actor.primary())
        && actor
            .copyOn(actor.primary())
            .filter(copy -> copy.status() != Status.LOADING)
            .isPresent();
  }

  private boolean canLead(String server, int number) {
    return state.get().alive(server)
        && works(server)
        && holdings.hasOpen(server, number)
        && isReached(server);
  }

  private boolean isReached(String server) {
    List<String> controllers =
        shape.controllerNames().stream()
            .filter(
                controller -> works(controller) && cluster.network().connects(controller, server))
            .toList();
    return controllers.size() > shape.controllers() / 2
        && controllers.stream()
            .allMatch(
                one ->
                    controllers.stream().allMatch(other -> cluster.network().connects(one, other)));
  }

  private boolean works(String name) {
    SimulatedProcess process = cluster.process(name);
    return process.running() && !process.paused();
  }
}
