package io.uniserve.runtime.control.copies;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.wire.ReplicationMessage.HandOver;
import io.uniserve.runtime.wire.ReplicationMessage.HandedOver;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ControlRecord.PrimaryChanged;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The replacement of primaries that are alive. The primary itself makes sure that its successor has
 * every update, and promises to accept no further ones. Then the successor's epoch is recorded.
 * Updates are refused meanwhile, for a few round trips, and their clients send them again.
 *
 * <p>If the outcome is unknown, an election follows, since the promise may have been given.
 */
public final class HandOvers {
  /** The pause before a failed hand-over is tried again, since each attempt holds updates up. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Environment environment;
  private final Decisions decisions;
  private final ControllerSettings settings;
  private final Elections elections;
  private final Consumer<ActorId> reconcile;
  private final Map<ActorId, Long> notBeforeNanos = new TreeMap<>();

  public HandOvers(
      Environment environment,
      Decisions decisions,
      ControllerSettings settings,
      Elections elections,
      Consumer<ActorId> reconcile) {
    this.environment = environment;
    this.decisions = decisions;
    this.settings = settings;
    this.elections = elections;
    this.reconcile = reconcile;
  }

  /** Begins a hand-over, unless one or an election is under way, or one has just failed. */
  public void begin(ActorId id, ActorState actor, String to, String why) {
    Clock clock = environment.clock();
    Long notBefore = notBeforeNanos.get(id);
    boolean early = notBefore != null && notBefore - clock.nanos() > 0;
    if (!early && elections.begin(id)) {
      ServerState primary = decisions.state().servers().get(actor.primary());
      HandOver request =
          new HandOver(
              id,
              actor.copyOn(actor.primary()).orElseThrow().id(),
              actor.copyOn(to).orElseThrow().id(),
              actor.epoch(),
              actor.epoch() + 1);
      decisions.whenCommitted(
          () -> environment.threads().start("hand over " + id, () -> ask(primary, request, why)));
    }
  }

  private void ask(ServerState primary, HandOver request, String why) {
    Deadline deadline = Deadline.after(environment.clock(), settings.pingTimeout());
    try {
      HandedOver answer =
          Calls.ask(environment, primary.address(), request, HandedOver.class, deadline);
      decisions.submit(() -> conclude(request, answer.done(), why));
    } catch (UniserveException e) {
      decisions.submit(() -> inDoubt(request));
    }
  }

  private void conclude(HandOver request, boolean done, String why) {
    if (!done) {
      elections.end(request.actor());
      pause(request.actor());
      return;
    }
    boolean usable =
        decisions
            .state()
            .actor(request.actor())
            .filter(now -> now.epoch() == request.epoch() && readable(now, request.to().server()))
            .isPresent();
    if (!usable) {
      inDoubt(request);
      return;
    }
    elections.end(request.actor());
    elections.promised(request.actor(), request.next());
    notBeforeNanos.remove(request.actor());
    decisions.record(
        List.of(new PrimaryChanged(request.actor(), request.next(), request.to().server(), why)));
    reconcile.accept(request.actor());
  }

  private boolean readable(ActorState actor, String server) {
    return decisions.state().alive(server)
        && actor.copyOn(server).stream().anyMatch(copy -> copy.status() == CopyState.Status.READY);
  }

  private void inDoubt(HandOver request) {
    elections.end(request.actor());
    if (decisions.state().actor(request.actor()).isPresent()) {
      pause(request.actor());
      elections.promised(request.actor(), request.next());
      reconcile.accept(request.actor());
    }
  }

  private void pause(ActorId id) {
    notBeforeNanos.put(id, environment.clock().nanos() + PAUSE.toNanos());
  }
}
