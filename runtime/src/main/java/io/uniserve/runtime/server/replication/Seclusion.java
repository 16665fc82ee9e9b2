package io.uniserve.runtime.server.replication;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.wire.ControlMessage.CopyReport;
import io.uniserve.runtime.wire.ControlMessage.CopyReport.Outcome;
import io.uniserve.runtime.wire.ReplicationMessage.UnreachedCopy;
import io.uniserve.runtime.wire.cluster.CopyState;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The silence of a copy that its primary does not reach. The copy answers no reads, and says so
 * until cluster state changes its status. Only then does its primary continue without it, so no
 * read here lacks an acknowledged update. The copy answers reads again once it has followed from
 * there on. If the primary reaches it again before anything was recorded, the change is recorded
 * all the same, since the earlier report may still arrive.
 */
final class Seclusion {
  private static final Logger LOG = LoggerFactory.getLogger(Seclusion.class);

  private final ServerContext server;
  private final Replica replica;
  private final ReplicaDriver driver;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Optional<Part> secluded = Optional.empty();

  /** The copy as it is in cluster state while the silence lasts. */
  private record Part(CopyState copy, long epoch) {
    static Part of(Assignment assignment) {
      return new Part(assignment.copy(), assignment.actor().epoch());
    }
  }

  Seclusion(ServerContext server, Replica replica, ReplicaDriver driver) {
    this.server = server;
    this.replica = replica;
    this.driver = driver;
  }

  /**
   * Begins the silence, unless the report is about another copy or another primary than the present
   * one.
   */
  void begin(UnreachedCopy told) {
    Part now = Part.of(driver.assignment());
    boolean meant =
        now.copy().id().equals(told.copy())
            && now.epoch() == told.epoch()
            && !driver.assignment().leads(server.name());
    lock.lock();
    try {
      if (meant && !secluded.equals(Optional.of(now))) {
        secluded = Optional.of(now);
        server
            .environment()
            .threads()
            .start("seclusion of " + replica.target(), () -> run(now, nanos()));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the copy may answer no reads, as far as this server knows. */
  boolean lasts() {
    Optional<Part> known = secluded;
    return known.isPresent() && known.get().equals(Part.of(driver.assignment()));
  }

  private void run(Part part, long beganAtNanos) {
    try {
      while (!driver.dropped() && part.equals(Part.of(driver.assignment()))) {
        if (replica.reads().retire(this::lasts)) {
          report(part, driver.followedSince(beganAtNanos));
        }
        server.environment().clock().sleep(server.settings().copies().followTimeout().dividedBy(2));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void report(Part part, boolean reachedAgain) {
    try {
      server.report(
          new CopyReport(
              replica.target().id(),
              part.copy(),
              driver.assignment().incarnation(),
              part.epoch(),
              reachedAgain ? Outcome.REACHED_AGAIN : Outcome.UNREACHED,
              "its primary did not reach it"));
    } catch (UniserveException e) {
      LOG.debug("{}: {}", replica.target(), e.getMessage());
    }
  }

  private long nanos() {
    return server.environment().clock().nanos();
  }
}
