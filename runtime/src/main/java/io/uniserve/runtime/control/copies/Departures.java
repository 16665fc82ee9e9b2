package io.uniserve.runtime.control.copies;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.settings.RepairSettings;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerLeaving;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The servers whose processes end by their own will, most often to be started again. Others lead
 * what they led before they end. Their copies are waited for, instead of being made anew elsewhere.
 */
public final class Departures {
  private final Clock clock;
  private final Decisions decisions;
  private final HandOvers handOvers;
  private final RepairSettings settings;
  private final Map<String, Long> awaitedUntilNanos = new TreeMap<>();

  public Departures(
      Clock clock, Decisions decisions, HandOvers handOvers, RepairSettings settings) {
    this.clock = clock;
    this.decisions = decisions;
    this.handOvers = handOvers;
    this.settings = settings;
  }

  /**
   * Hands over what a server leads; returns the number of its actors that another server could
   * still take over.
   */
  public int leave(String server, long incarnation) {
    if (!decisions.state().servers().get(server).leaving()) {
      decisions.record(List.of(new ServerLeaving(server, incarnation)));
    }
    int led = 0;
    for (TableState table : List.copyOf(decisions.state().tables().values())) {
      for (int number = 0; number < table.actors().size(); number++) {
        led += handOver(server, table.actorId(number), table.actors().get(number)) ? 1 : 0;
      }
    }
    return led;
  }

  private boolean handOver(String server, ActorId id, ActorState actor) {
    Optional<String> heir =
        actor.primary().equals(server)
            ? actor.copies().stream()
                .filter(copy -> copy.status() == Status.READY)
                .map(CopyState::server)
                .filter(other -> !other.equals(server) && staysAlive(other))
                .findFirst()
            : Optional.empty();
    heir.ifPresent(
        to -> handOvers.begin(id, actor, to, "handed over by " + server + ", which is to end"));
    return heir.isPresent();
  }

  private boolean staysAlive(String name) {
    ServerState server = decisions.state().servers().get(name);
    return server.alive() && !server.leaving();
  }

  /** Returns whether a server is away by its own will, and not for long. */
  public boolean isAwaited(String server) {
    ClusterState state = decisions.state();
    ServerState known = state.servers().get(server);
    if (known.alive() || !known.leaving()) {
      awaitedUntilNanos.remove(server);
      return false;
    }
    long now = clock.nanos();
    long until =
        awaitedUntilNanos.computeIfAbsent(
            server, absent -> now + settings.restartPatience().toNanos());
    return until - now > 0;
  }
}
