package io.uniserve.runtime.server.replication;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.wire.ControlMessage.CopyReport;
import io.uniserve.runtime.wire.ControlMessage.CopyReport.Outcome;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The retirement of a copy that other copies make up for. It continues to follow, so that updates
 * that wait for all copies are not held up. It lingers until clients have heard that they should
 * ask others. Then it answers no reads, and says so until it is deleted, or needed again. It does
 * so only after its primary has answered it: until then this may be the last copy, and the
 * primary's loss may not have been noticed yet.
 */
final class Retirement {
  private static final Logger LOG = LoggerFactory.getLogger(Retirement.class);

  private final ServerContext server;
  private final Replica replica;
  private final ReplicaDriver driver;
  private boolean running;

  Retirement(ServerContext server, Replica replica, ReplicaDriver driver) {
    this.server = server;
    this.replica = replica;
    this.driver = driver;
  }

  /** Takes every assignment, from one thread. */
  void assigned(Assignment now) {
    boolean wanted = now.copy().status() == Status.RETIRING;
    if (wanted && !running) {
      server.environment().threads().start("retirement of " + replica.target(), this::run);
    }
    running = wanted;
  }

  private void run() {
    try {
      long beganAtNanos = server.environment().clock().nanos();
      server.environment().clock().sleep(server.settings().copies().linger());
      while (wanted()) {
        Assignment now = driver.assignment();
        boolean may = !replica.held() || driver.followedSince(beganAtNanos);
        if (may
            && replica
                .reads()
                .retire(() -> wanted() && now.copy().equals(driver.assignment().copy()))) {
          report(now);
        }
        server.environment().clock().sleep(server.settings().copies().followTimeout());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean wanted() {
    return !driver.dropped() && driver.assignment().copy().status() == Status.RETIRING;
  }

  private void report(Assignment now) {
    try {
      server.report(
          new CopyReport(
              replica.target().id(),
              now.copy(),
              now.incarnation(),
              now.actor().epoch(),
              Outcome.RETIRED,
              "answers no reads any more"));
    } catch (UniserveException e) {
      LOG.debug("{}: {}", replica.target(), e.getMessage());
    }
  }
}
