package io.uniserve.runtime.control.copies;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Transport.ReplyObserver;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.wire.ReplicationMessage.Seal;
import io.uniserve.runtime.wire.ReplicationMessage.Sealed;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ControlRecord.PrimaryChanged;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.entry.Position;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The elections of primaries (DPA §4.3: "the replica with the most advanced update"). First every
 * copy within reach promises to accept nothing of an older epoch, and says how far it is. Then the
 * most advanced complete copy is recorded as the primary of the new epoch. An election needs the
 * answers of every readable copy on a living server, and of the former primary's copy if its server
 * lives, since these have what others may lack. If none of these lives, all complete copies on
 * living servers must answer. While there is no complete copy, the actor has no primary. Two things
 * allow any copy to lead: the durable store has all that was acknowledged, which every new primary
 * reads before it leads; or somebody has accepted the loss.
 */
public final class Elections {
  private final Environment environment;
  private final Decisions decisions;
  private final ControllerSettings settings;
  private final Consumer<ActorId> reconcile;
  private final SortedSet<ActorId> running = new TreeSet<>();

  /** The latest epoch that copies were asked to promise; no older epoch can be led any more. */
  private final SortedMap<ActorId, Long> promised = new TreeMap<>();

  public Elections(
      Environment environment,
      Decisions decisions,
      ControllerSettings settings,
      Consumer<ActorId> reconcile) {
    this.environment = environment;
    this.decisions = decisions;
    this.settings = settings;
    this.reconcile = reconcile;
  }

  /** Begins an election if the actor needs one; returns true if it has a primary that can serve. */
  public boolean ensureLed(ActorId id, ActorState actor) {
    if (led(actor) && promised.getOrDefault(id, 0L) <= actor.epoch()) {
      promised.remove(id);
      return true;
    }
    List<CopyState> voters = living(actor);
    if (!voters.isEmpty() && (anyMayLead(id, actor) || completeLives(actor)) && running.add(id)) {
      long epoch = actor.epoch() + 1;
      promised.put(id, epoch);
      SortedMap<String, ServerState> servers = decisions.state().servers();
      decisions.whenCommitted(
          () -> environment.threads().start("elect " + id, () -> seal(id, epoch, voters, servers)));
    }
    return false;
  }

  /** Keeps elections of an actor from beginning; returns false if one is under way. */
  public boolean begin(ActorId id) {
    return running.add(id);
  }

  /** Lets elections of an actor begin again. */
  public void end(ActorId id) {
    running.remove(id);
  }

  /** Returns an epoch that is higher than every promise of a copy. */
  long nextEpoch(ActorId id, ActorState actor) {
    return Math.max(actor.epoch(), promised.getOrDefault(id, 0L)) + 1;
  }

  /** Notes that a copy may have promised to accept nothing below an epoch. */
  public void promised(ActorId id, long epoch) {
    promised.merge(id, epoch, Math::max);
  }

  /**
   * Returns whether the actor has a primary. A primary that has yet to create its empty copy
   * counts, since no other copy has more.
   */
  private boolean led(ActorState actor) {
    Optional<CopyState> primary = actor.copyOn(actor.primary());
    return decisions.state().alive(actor.primary())
        && primary.filter(copy -> copy.status() != Status.LOADING).isPresent();
  }

  private List<CopyState> living(ActorState actor) {
    return actor.copies().stream().filter(copy -> decisions.state().alive(copy.server())).toList();
  }

  /** Returns whether a copy with everything that must not be lost is on a living server. */
  private boolean completeLives(ActorState actor) {
    return actor.complete().stream().anyMatch(decisions.state()::alive);
  }

  private boolean anyMayLead(ActorId id, ActorState actor) {
    return actor.anyMayLead()
        || decisions.state().tables().get(id.table()).definition().durability()
            == Durability.SYNCHRONOUS;
  }

  private void seal(
      ActorId id, long epoch, List<CopyState> voters, SortedMap<String, ServerState> servers) {
    Votes votes = new Votes(voters.size());
    try {
      Deadline deadline = Deadline.after(environment.clock(), settings.pingTimeout());
      for (CopyState voter : voters) {
        environment
            .transport()
            .call(
                servers.get(voter.server()).address(),
                new Seal(id, voter.id(), epoch),
                deadline,
                votes.of(voter.server()));
      }
      votes.await(deadline);
    } finally {
      // Whatever went wrong, the next attempt must be able to begin.
      SortedMap<String, Sealed> answers = votes.answers();
      decisions.submit(() -> conclude(id, epoch, answers));
    }
  }

  private void conclude(ActorId id, long epoch, SortedMap<String, Sealed> answers) {
    running.remove(id);
    Optional<ActorState> now = decisions.state().actor(id);
    if (now.isEmpty()) {
      promised.remove(id);
      return;
    }
    if (now.get().epoch() + 1 != epoch || missesVote(now.get(), answers)) {
      return;
    }
    mostAdvanced(now.get(), answers, anyMayLead(id, now.get()))
        .ifPresent(
            server -> {
              String why =
                  "most advanced copy after "
                      + now.get().primary()
                      + " was lost, at "
                      + answers.get(server).position();
              decisions.record(List.of(new PrimaryChanged(id, epoch, server, why)));
              reconcile.accept(id);
            });
  }

  private boolean missesVote(ActorState actor, SortedMap<String, Sealed> answers) {
    List<CopyState> living = living(actor);
    List<CopyState> advanced =
        living.stream()
            .filter(copy -> copy.status() == Status.READY || copy.server().equals(actor.primary()))
            .toList();
    return (advanced.isEmpty() ? orElseComplete(actor, living) : advanced)
        .stream().anyMatch(copy -> !answers.containsKey(copy.server()));
  }

  private static List<CopyState> orElseComplete(ActorState actor, List<CopyState> living) {
    List<CopyState> complete =
        living.stream().filter(copy -> actor.complete().contains(copy.server())).toList();
    return complete.isEmpty() ? living : complete;
  }

  private Optional<String> mostAdvanced(
      ActorState actor, SortedMap<String, Sealed> answers, boolean anyMayLead) {
    return answers.entrySet().stream()
        .filter(answer -> answer.getValue().held())
        .filter(answer -> anyMayLead || actor.complete().contains(answer.getKey()))
        .filter(
            answer ->
                decisions.state().alive(answer.getKey())
                    && actor.copyOn(answer.getKey()).isPresent())
        .max(
            Comparator.<Map.Entry<String, Sealed>, Position>comparing(
                    answer -> answer.getValue().position())
                .thenComparing(answer -> stays(actor, answer.getKey())))
        .map(Map.Entry::getKey);
  }

  /** Returns whether a copy stays on its server. */
  private boolean stays(ActorState actor, String server) {
    return decisions.state().takesCopies(server)
        && actor.move().filter(move -> move.from().equals(server)).isEmpty()
        && actor.copyOn(server).filter(copy -> copy.status() == Status.RETIRING).isEmpty();
  }

  /** The answers of several threads. */
  private final class Votes {
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<String, Sealed> answers = new TreeMap<>();
    private final Promise<Boolean> all = new Promise<>(environment.threads());
    private int outstanding;

    Votes(int voters) {
      outstanding = voters;
    }

    ReplyObserver of(String server) {
      return new ReplyObserver() {
        @Override
        public void replied(Message reply) {
          if (reply instanceof Sealed sealed) {
            answered(server, sealed);
          }
        }

        @Override
        public void completed() {
          ended();
        }

        @Override
        public void failed(UniserveException failure) {
          ended();
        }
      };
    }

    private void answered(String server, Sealed sealed) {
      lock.lock();
      try {
        answers.put(server, sealed);
      } finally {
        lock.unlock();
      }
    }

    private void ended() {
      lock.lock();
      try {
        if (--outstanding == 0) {
          all.complete(true);
        }
      } finally {
        lock.unlock();
      }
    }

    /** Waits for all answers, up to the deadline. */
    void await(Deadline deadline) {
      try {
        all.await(deadline, "votes");
      } catch (UniserveException e) {
        // Missing answers are not in the result, which the conclusion takes into account.
      }
    }

    /** Returns the answers that have come. */
    SortedMap<String, Sealed> answers() {
      lock.lock();
      try {
        return new TreeMap<>(answers);
      } finally {
        lock.unlock();
      }
    }
  }
}
