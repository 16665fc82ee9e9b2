package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.simulation.model.ModelActor;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * The search for operations of committed transactions that an election gave up: those that the new
 * primary neither has nor has prepared. They are excused only if no readable copy had them either,
 * since the cluster prefers to go on with the remaining data when every up-to-date copy is away.
 */
public final class LostDecisions {
  private final Holdings holdings;
  private final Supplier<ClusterState> state;
  private final Promises promises;
  private final Commitments commitments;
  private final ToIntFunction<Operation> actorOf;
  private final List<Operation> decided = new ArrayList<>();

  public LostDecisions(
      Holdings holdings,
      Supplier<ClusterState> state,
      Promises promises,
      ToIntFunction<Operation> actorOf) {
    this.holdings = holdings;
    this.state = state;
    this.promises = promises;
    this.actorOf = actorOf;
    this.commitments = new Commitments(actorOf);
  }

  /** Notes that an actor is asked to prepare operations. */
  public void asked(String transaction, List<Operation> operations) {
    commitments.asked(transaction, operations);
  }

  /** Takes a change of an actor in the control log. */
  public void changed(TableState table, int number, ActorState before) {
    if (!table.definition().name().equals(ClusterShape.TABLE)) {
      return;
    }
    ActorState now = table.actors().get(number);
    if (!now.committed().equals(before.committed())) {
      decided.addAll(
          commitments.committed(number, now.committed().transaction(), now.committed().version()));
    }
    if (now.epoch() != before.epoch()) {
      elected(number, now);
    }
  }

  public Commitments commitments() {
    return commitments;
  }

  /** Notes that another table has taken the place of the one table. */
  public void replaced() {
    commitments.replaced();
    decided.clear();
  }

  private void elected(int number, ActorState actor) {
    List<String> readable =
        actor.copies().stream()
            .filter(copy -> copy.status() == Status.READY && state.get().alive(copy.server()))
            .map(CopyState::server)
            .toList();
    decided.stream()
        .filter(operation -> actorOf.applyAsInt(operation) == number)
        .filter(operation -> readable.stream().noneMatch(server -> has(server, operation)))
        .forEach(promises::excuse);
  }

  private boolean has(String server, Operation operation) {
    return holdings.open(server).stream()
        .filter(actor -> actor.context().table().name().equals(ClusterShape.TABLE))
        .anyMatch(actor -> has(actor, operation));
  }

  private static boolean has(ModelActor actor, Operation operation) {
    return actor.journal().contains(operation) || actor.prepared().contains(operation);
  }
}
