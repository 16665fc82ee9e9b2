package io.uniserve.runtime.server.update;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.keys.AppliedKey;
import io.uniserve.runtime.server.keys.DamagedKeysException;
import io.uniserve.runtime.server.membership.Membership;
import io.uniserve.runtime.server.replica.Preparation;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.wire.TransactionMessage;
import io.uniserve.runtime.wire.TransactionMessage.AbortUpdate;
import io.uniserve.runtime.wire.TransactionMessage.Applied;
import io.uniserve.runtime.wire.TransactionMessage.AskFirm;
import io.uniserve.runtime.wire.TransactionMessage.CommitUpdate;
import io.uniserve.runtime.wire.TransactionMessage.CommittedMember;
import io.uniserve.runtime.wire.TransactionMessage.Concluded;
import io.uniserve.runtime.wire.TransactionMessage.Firm;
import io.uniserve.runtime.wire.TransactionMessage.KnownMember;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.TransactionMessage.Prepared;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The participant's side of two-phase commit (DPA §4.2). An actor votes and obeys through its
 * primary. It answers once all its readable copies have done the same. Each request runs on a light
 * thread of its own.
 */
public final class Transactions {
  private final ServerContext server;
  private final Membership membership;
  private final Function<ActorId, Optional<ReplicaDriver>> drivers;
  private final FirmUpdates firm;
  private final AtomicInteger underWay = new AtomicInteger();

  public Transactions(
      ServerContext server,
      Membership membership,
      Function<ActorId, Optional<ReplicaDriver>> drivers,
      FirmUpdates firm) {
    this.server = server;
    this.membership = membership;
    this.drivers = drivers;
    this.firm = firm;
  }

  public void handle(TransactionMessage request, Incoming call) {
    if (underWay.incrementAndGet() > server.settings().work().updatesWaitingMax()) {
      underWay.decrementAndGet();
      call.fail(
          new UniserveException(
              ErrorCode.OVERLOADED, "server " + server.name() + " has too many updates waiting"));
      return;
    }
    server.environment().threads().start("transaction", () -> run(request, call));
  }

  private void run(TransactionMessage request, Incoming call) {
    try {
      call.reply(answer(request, call));
      call.complete();
    } catch (RuntimeException e) {
      call.fail(UniserveException.of(e));
    } finally {
      underWay.decrementAndGet();
    }
  }

  private Message answer(TransactionMessage request, Incoming call) {
    return switch (request) {
      case PrepareUpdate prepare -> prepare(prepare, driver(prepare.actor()), call);
      case CommitUpdate commit -> {
        ReplicaDriver driver = driver(commit.actor());
        yield conclude(driver, call, () -> commit(commit, driver));
      }
      case AbortUpdate abort -> {
        ReplicaDriver driver = driver(abort.actor());
        yield conclude(
            driver,
            call,
            () -> new Concluded(driver.replica().abort(abort.transaction()), List.of(), List.of()));
      }
      case AskFirm ask -> firm(ask, driver(ask.actor()), call);
      default ->
          throw UniserveException.invalid(
              "a server is not asked for " + request.getClass().getSimpleName());
    };
  }

  private Prepared prepare(PrepareUpdate request, ReplicaDriver driver, Incoming call) {
    check(request);
    driver.backup().requireOwner();
    EpochCheck check = EpochCheck.begin(membership, driver);
    driver.backup().admit(call.deadline());
    Preparation preparation =
        firm.told(
            driver,
            check::copiesToReach,
            call.deadline(),
            () -> prepareInTurn(request, driver, call.deadline()));
    return switch (preparation) {
      case Preparation.Ready ready -> {
        firm.await(driver, check::copiesToReach, ready.position(), call.deadline());
        long epoch = check.end();
        driver.replica().firm(ready.position());
        yield prepared(epoch, driver, ready.known());
      }
      case Preparation.Known known -> {
        for (Applied applied : known.known().values()) {
          firm.await(driver, check::copiesToReach, applied.position(), call.deadline());
        }
        yield prepared(check.end(), driver, known.known());
      }
      case Preparation.Refused refused ->
          new Prepared(
              check.end(),
              driver.replica().timeMillis(),
              Optional.empty(),
              List.of(),
              Optional.of(refused.number()));
    };
  }

  private static Prepared prepared(
      long epoch, ReplicaDriver driver, SortedMap<Integer, Applied> known) {
    return new Prepared(
        epoch,
        driver.replica().timeMillis(),
        Optional.ofNullable(known.get(0)),
        known.tailMap(1).entrySet().stream()
            .map(one -> new KnownMember(one.getKey(), one.getValue()))
            .toList(),
        Optional.empty());
  }

  private static void check(PrepareUpdate request) {
    if (request.transaction().length() > TransactionMessage.TRANSACTION_LENGTH_MAX) {
      throw UniserveException.invalid(
          "a transaction's identity of " + request.transaction().length() + " characters");
    }
    if (request.members().size() > TransactionMessage.MEMBERS_MAX) {
      throw UniserveException.invalid("a group of " + request.members().size() + " updates");
    }
  }

  /**
   * Prepares an update. The second of two waits for the first, whose turn is over: its outcome can
   * be asked for at once.
   */
  private Preparation prepareInTurn(
      PrepareUpdate request, ReplicaDriver driver, Deadline deadline) {
    return firm.whenFree(driver, Duration.ZERO, deadline, () -> prepareOnce(request, driver));
  }

  private static Preparation prepareOnce(PrepareUpdate request, ReplicaDriver driver) {
    try {
      return driver.replica().prepare(request, driver.assignment().partitioner());
    } catch (EngineFailedException | DamagedKeysException e) {
      throw driver.noted(e);
    }
  }

  /** Answers a follower whose reads have seen what may not be firm yet. */
  private Firm firm(AskFirm ask, ReplicaDriver driver, Incoming call) {
    membership.requireLease();
    if (!driver.replica().has(ask.epoch(), ask.position())) {
      throw new UniserveException(
          ErrorCode.STALE_ROUTING,
          driver.replica().target()
              + " is not led by this server in epoch "
              + ask.epoch()
              + ", or not yet at "
              + ask.position());
    }
    firm.await(driver, ask.epoch(), ask.position(), call.deadline());
    return new Firm();
  }

  @FunctionalInterface
  private interface Conclusion {
    Concluded apply();
  }

  private Concluded conclude(ReplicaDriver driver, Incoming call, Conclusion conclusion) {
    EpochCheck check = EpochCheck.begin(membership, driver);
    Concluded concluded = conclusion.apply();
    driver.concluded();
    driver.followers().changed();
    driver.backup().awaitDurable(concluded.position(), call.deadline());
    driver.followers().await(check::copiesToReach, concluded.position(), call.deadline());
    check.end();
    return concluded;
  }

  private static Concluded commit(CommitUpdate commit, ReplicaDriver driver) {
    try {
      List<UpdateKey> keys = new ArrayList<>(List.of(commit.key()));
      keys.addAll(commit.others());
      List<AppliedKey> applied = driver.replica().commit(keys, commit.decided());
      return new Concluded(
          applied.getFirst().position(),
          applied.getFirst().answers(),
          applied.stream()
              .skip(1)
              .map(one -> new CommittedMember(one.position(), one.answers()))
              .toList());
    } catch (EngineFailedException | DamagedKeysException e) {
      throw driver.noted(e);
    }
  }

  private ReplicaDriver driver(ActorId actor) {
    return drivers
        .apply(actor)
        .orElseThrow(
            () ->
                new UniserveException(
                    ErrorCode.STALE_ROUTING,
                    "server " + server.name() + " has no copy of actor " + actor));
  }
}
