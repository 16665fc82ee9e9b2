package io.uniserve.runtime.server;

import io.uniserve.api.UniserveException;
import io.uniserve.runtime.wire.ControlMessage.CopyReport;
import io.uniserve.runtime.wire.ControlMessage.CopyReport.Outcome;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a copy that others make up for: it goes on to follow, so that updates which wait for
 * all copies need not know; lingers until clients have heard that they should ask others; answers
 * no reads from then on; and says so until it is taken away, or needed again.
 */
final class Retirement {
  private static final Logger LOG = LoggerFactory.getLogger(Retirement.class);

  private final ServerContext server;
  private final Replica replica;
  private final Supplier<Assignment> assignment;
  private final BooleanSupplier over;
  private boolean running;

  /**
   * @param assignment the newest
   * @param over whether the replica is gone
   */
  Retirement(
      ServerContext server,
      Replica replica,
      Supplier<Assignment> assignment,
      BooleanSupplier over) {
    this.server = server;
    this.replica = replica;
    this.assignment = assignment;
    this.over = over;
  }

  /** Hears of every assignment, from one thread. */
  void assigned(Assignment now) {
    boolean wanted = now.copy().status() == Status.RETIRING;
    if (wanted && !running) {
      server.environment().threads().start("retirement of " + replica.target(), this::run);
    }
    running = wanted;
  }

  private void run() {
    try {
      server.environment().clock().sleep(server.settings().linger());
      while (wanted()) {
        replica.retire(this::wanted);
        report();
        server.environment().clock().sleep(server.settings().followTimeout());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean wanted() {
    return !over.getAsBoolean() && assignment.get().copy().status() == Status.RETIRING;
  }

  private void report() {
    Assignment now = assignment.get();
    try {
      server.report(
          new CopyReport(
              replica.target().id(),
              server.name(),
              now.incarnation(),
              now.actor().epoch(),
              Outcome.RETIRED,
              "answers no reads any more"));
    } catch (UniserveException e) {
      LOG.debug("{}: {}", replica.target(), e.getMessage());
    }
  }
}
