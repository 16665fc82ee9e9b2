package io.uniserve.runtime.server.update;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.kernel.UnusableFileException;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.keys.AppliedKey;
import io.uniserve.runtime.server.membership.Membership;
import io.uniserve.runtime.server.replica.Preparation;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.wire.TransactionMessage;
import io.uniserve.runtime.wire.TransactionMessage.AbortUpdate;
import io.uniserve.runtime.wire.TransactionMessage.Applied;
import io.uniserve.runtime.wire.TransactionMessage.CommitUpdate;
import io.uniserve.runtime.wire.TransactionMessage.Concluded;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.TransactionMessage.Prepared;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
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
  private final OutcomeInquiry inquiry;
  private final AtomicInteger underWay = new AtomicInteger();

  public Transactions(
      ServerContext server,
      Membership membership,
      Function<ActorId, Optional<ReplicaDriver>> drivers,
      OutcomeInquiry inquiry) {
    this.server = server;
    this.membership = membership;
    this.drivers = drivers;
    this.inquiry = inquiry;
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
            () -> new Concluded(driver.replica().abort(abort.transaction()), List.of()));
      }
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
    return switch (prepareInTurn(request, driver, call.deadline())) {
      case Preparation.Ready ready -> {
        driver.followers().changed();
        force(ready, driver);
        driver.backup().awaitDurable(ready.position(), call.deadline());
        driver.followers().await(check::copiesToReach, ready.position(), call.deadline());
        yield new Prepared(check.end(), driver.replica().timeMillis(), Optional.empty());
      }
      case Preparation.Known known -> {
        Applied applied = known.applied();
        driver.backup().awaitDurable(applied.position(), call.deadline());
        driver.followers().await(check::copiesToReach, applied.position(), call.deadline());
        yield new Prepared(check.end(), driver.replica().timeMillis(), Optional.of(applied));
      }
      case Preparation.Occupied occupied ->
          throw new UniserveException(
              ErrorCode.UNAVAILABLE,
              driver.replica().target() + " does not know yet the outcome of " + occupied.open());
    };
  }

  private static void check(PrepareUpdate request) {
    if (request.transaction().length() > TransactionMessage.TRANSACTION_LENGTH_MAX) {
      throw UniserveException.invalid(
          "a transaction's identity of " + request.transaction().length() + " characters");
    }
  }

  /**
   * Prepares an update. The second of two waits for the first, and makes sure that the outcome of
   * the first becomes known.
   */
  private Preparation prepareInTurn(
      PrepareUpdate request, ReplicaDriver driver, Deadline deadline) {
    while (true) {
      Signal next = driver.followers().nextChange();
      Preparation preparation = prepareOnce(request, driver);
      boolean over = deadline.expired(server.environment().clock());
      if (!(preparation instanceof Preparation.Occupied) || over) {
        return preparation;
      }
      inquiry.conclude(driver);
      await(next, deadline);
    }
  }

  private void await(Signal next, Deadline deadline) {
    Deadline pause =
        Deadline.after(server.environment().clock(), server.settings().copies().retryDelay());
    try {
      next.await(pause.earlier(deadline));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted", e);
    }
  }

  private static Preparation prepareOnce(PrepareUpdate request, ReplicaDriver driver) {
    try {
      return driver.replica().prepare(request, driver.assignment().partitioner());
    } catch (EngineFailedException e) {
      driver.wake();
      throw e;
    }
  }

  /** Forces a prepared entry to disk, while followers already copy it. */
  private static void force(Preparation.Ready ready, ReplicaDriver driver) {
    try {
      ready.file().force();
    } catch (UnusableFileException e) {
      EngineFailedException failure = driver.replica().unusable(e);
      driver.failed(failure);
      throw failure;
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED,
          "what "
              + driver.replica().target()
              + " prepared cannot be made durable: "
              + UniserveException.reason(e),
          e);
    }
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
      AppliedKey applied = driver.replica().commit(commit.key(), commit.decided());
      return new Concluded(applied.position(), applied.answers());
    } catch (EngineFailedException e) {
      driver.wake();
      throw e;
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
