package io.uniserve.runtime.server.update;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.keys.DamagedKeysException;
import io.uniserve.runtime.server.replica.OpenTransaction;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.replica.Role;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.wire.TransactionMessage.AskOutcome;
import io.uniserve.runtime.wire.TransactionMessage.Outcome;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.entry.LogEntry;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The search for the outcome of transactions whose client is silent (DPA §4.3: "servers can
 * reference this if the client fails"). A primary with a prepared transaction looks into cluster
 * state, which has every decision to commit. It asks the coordinator about a decision that is not
 * there.
 */
public final class OutcomeInquiry {
  private static final Logger LOG = LoggerFactory.getLogger(OutcomeInquiry.class);
  private static final Duration INTERVAL = Duration.ofMillis(500);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

  private final ServerContext server;
  private final Supplier<Collection<ReplicaDriver>> drivers;
  private final Supplier<ClusterState> state;
  private volatile boolean closed;

  public OutcomeInquiry(
      ServerContext server,
      Supplier<Collection<ReplicaDriver>> drivers,
      Supplier<ClusterState> state) {
    this.server = server;
    this.drivers = drivers;
    this.state = state;
  }

  public void start() {
    server.environment().threads().start("outcomes for " + server.name(), this::run);
  }

  public void close() {
    closed = true;
  }

  private void run() {
    try {
      while (!closed) {
        server.environment().clock().sleep(INTERVAL);
        concludeAll();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void concludeAll() {
    for (ReplicaDriver driver : drivers.get()) {
      try {
        conclude(driver);
      } catch (UniserveException e) {
        LOG.debug("{}: {}", driver.replica().target(), e.getMessage());
        if (e.code() == ErrorCode.UNAVAILABLE || e.code() == ErrorCode.DEADLINE_EXCEEDED) {
          return;
        }
      }
    }
  }

  /**
   * Applies the outcome of the transaction that an actor led here has prepared, if there are both.
   *
   * @throws UniserveException if the outcome cannot be found out now
   */
  public void conclude(ReplicaDriver driver) {
    Replica replica = driver.replica();
    Optional<LogEntry.Prepare> open = replica.undecided().map(OpenTransaction::prepared);
    if (open.isEmpty() || !(replica.role() instanceof Role.Leading)) {
      return;
    }
    Outcome outcome = outcome(replica.target().id(), open.get().transaction());
    try {
      apply(driver, open.get(), outcome);
    } catch (EngineFailedException | DamagedKeysException e) {
      throw driver.noted(e);
    }
    driver.followers().changed();
  }

  private static void apply(ReplicaDriver driver, LogEntry.Prepare open, Outcome outcome) {
    Replica replica = driver.replica();
    switch (outcome.fate()) {
      case COMMITTED -> {
        LOG.info("{} commits {}, as decided", replica.target(), open.transaction());
        replica.commit(List.of(), outcome.decided());
        driver.concluded();
      }
      case ABORTED -> {
        LOG.info(
            "{} aborts transaction {}, which was never decided",
            replica.target(),
            open.transaction());
        replica.abort(open.transaction());
        driver.concluded();
      }
      case UNDECIDED ->
          LOG.debug("{}: transaction {} is not decided yet", replica.target(), open.transaction());
    }
  }

  private Outcome outcome(ActorId actor, String transaction) {
    Commitment last = state.get().actor(actor).map(ActorState::committed).orElse(Commitment.NONE);
    if (last.transaction().equals(transaction)) {
      return new Outcome(Outcome.Fate.COMMITTED, last);
    }
    return server
        .controllers()
        .ask(
            new AskOutcome(actor, transaction),
            Outcome.class,
            Deadline.after(server.environment().clock(), ANSWER_TIMEOUT));
  }
}
