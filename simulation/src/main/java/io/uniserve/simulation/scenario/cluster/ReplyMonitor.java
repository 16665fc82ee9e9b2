package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.OrderedMessage.Deliver;
import io.uniserve.runtime.wire.OrderedMessage.Delivered;
import io.uniserve.runtime.wire.PlanMessage.RunTasks;
import io.uniserve.runtime.wire.PlanMessage.TaskDone;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.QueryMessage.Retrieved;
import io.uniserve.runtime.wire.TransactionMessage.CommitUpdate;
import io.uniserve.runtime.wire.TransactionMessage.Concluded;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.TransactionMessage.Prepared;
import io.uniserve.runtime.wire.UpdateMessage.Update;
import io.uniserve.runtime.wire.UpdateMessage.Updated;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.plan.Input;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.cluster.check.LostDecisions;
import io.uniserve.simulation.scenario.cluster.check.OrderedDeliveries;
import io.uniserve.simulation.scenario.cluster.check.Outdated;
import io.uniserve.simulation.scenario.cluster.check.SeenUpdates;
import io.uniserve.simulation.scenario.cluster.check.StateOracle;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An observer of answers at the moment at which servers give them.
 *
 * <p>A deposed primary cannot acknowledge anything: nobody else may have been made the actor's
 * primary. A copy that must not be read any more may still answer a client that has not heard so.
 * The clients that got such answers are remembered, since the answers may be out of date.
 */
public final class ReplyMonitor implements Interception, Outdated {
  private final StateOracle truth;
  private final Runnable look;
  private final LostDecisions lostDecisions;
  private final SeenUpdates seen;
  private final Interception next;
  private final Map<Reading, Long> outdated = new LinkedHashMap<>();
  private final OrderedDeliveries deliveries = new OrderedDeliveries();
  private long answers;

  private record Reading(String client, int actor) {}

  /**
   * @param look updates the known cluster state
   * @param next sees every message afterwards
   */
  ReplyMonitor(
      StateOracle truth,
      Runnable look,
      LostDecisions lostDecisions,
      SeenUpdates seen,
      Interception next) {
    this.truth = truth;
    this.look = look;
    this.lostDecisions = lostDecisions;
    this.seen = seen;
    this.next = next;
  }

  @Override
  public Message request(String from, String to, Message request) {
    if (request instanceof PrepareUpdate prepare) {
      lostDecisions.asked(prepare.transaction(), operations(prepare));
      seen.prepared(operations(prepare));
    }
    if (request instanceof Update update) {
      seen.alone(operations(update.records()));
    }
    if (request instanceof Deliver deliver) {
      deliveries.sent(deliver);
    }
    return next.request(from, to, request);
  }

  /** Returns the operations that an actor is asked to prepare. */
  public static List<Operation> operations(PrepareUpdate prepare) {
    return prepare.members().stream()
        .flatMap(member -> operations(member.records()).stream())
        .toList();
  }

  @SuppressWarnings("unchecked")
  private static List<Operation> operations(Payload records) {
    return (List<Operation>) records.value(ClusterPrograms.UNOBSERVED);
  }

  @Override
  public Message reply(String from, String to, Message request, Message reply) {
    if (request instanceof Update update && reply instanceof Updated) {
      look.run();
      check(from, update.actor(), reply);
    } else if (request instanceof PrepareUpdate prepare && reply instanceof Prepared) {
      look.run();
      check(from, prepare.actor(), reply);
    } else if (request instanceof Deliver deliver && reply instanceof Delivered) {
      look.run();
      check(from, deliver.actor(), reply);
    } else if (request instanceof CommitUpdate commit && reply instanceof Concluded) {
      look.run();
      check(from, commit.actor(), reply);
    } else if (request instanceof Retrieve retrieve && reply instanceof Retrieved retrieved) {
      look.run();
      noteIfOutdated(from, to, new ActorId(retrieve.table(), retrieved.actor()));
    } else if (request instanceof RunTasks tasks && reply instanceof TaskDone done) {
      look.run();
      actorOf(tasks, done.task()).ifPresent(actor -> noteIfOutdated(from, to, actor));
    }
    return next.reply(from, to, request, reply);
  }

  private void check(String server, ActorId id, Message acknowledgement) {
    Optional<ActorState> actor = truth.state().actor(id);
    if (actor.isPresent()) {
      Invariant.ONE_PRIMARY.require(
          actor.get().primary().equals(server)
              && truth.state().alive(server)
              && !actor.get().ended(),
          () ->
              server
                  + " gives "
                  + acknowledgement
                  + " of "
                  + id
                  + ", which is assigned as "
                  + actor.get());
    }
  }

  /** Returns the actor that a task of a plan has read, if any. */
  public static Optional<ActorId> actorOf(RunTasks tasks, int number) {
    return tasks.tasks().stream()
        .filter(task -> task.number() == number)
        .findFirst()
        .flatMap(task -> actorOf(task.input()));
  }

  private static Optional<ActorId> actorOf(Input input) {
    return switch (input) {
      case Input.OfActor of -> Optional.of(of.actor());
      case Input.OfChunks chunks -> chunks.anchor().map(Input.OfActor::actor);
      case Input.OfOutput made -> Optional.empty(); // the actor is that of the task that made it
    };
  }

  /**
   * Notes a possibly outdated answer. A server that has not heard yet that an actor was merged may
   * answer for it; the merged one acknowledges nothing before it has heard.
   */
  private void noteIfOutdated(String server, String client, ActorId id) {
    Optional<CopyState> copy =
        truth.state().actor(truth.becameOf(id)).flatMap(actor -> actor.copyOn(server));
    boolean readable = truth.state().alive(server) && copy.filter(CopyState::isRead).isPresent();
    answers++;
    if (!readable) {
      outdated.put(new Reading(client, id.number()), answers);
    }
  }

  /** Returns how many answers there have been. */
  @Override
  public long mark() {
    return answers;
  }

  @Override
  public boolean outdatedSince(long mark, String client, int actor) {
    return outdated.getOrDefault(new Reading(client, actor), 0L) > mark;
  }
}
