package io.uniserve.runtime.server.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.server.update.OutcomeInquiry;
import io.uniserve.runtime.wire.ReplicationMessage;
import io.uniserve.runtime.wire.ReplicationMessage.Fence;
import io.uniserve.runtime.wire.ReplicationMessage.Fenced;
import io.uniserve.runtime.wire.ReplicationMessage.Stop;
import io.uniserve.runtime.wire.ReplicationMessage.Stopped;
import io.uniserve.runtime.wire.entry.Position;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;

/**
 * The primaries of this server that take no updates for a while, since their actors are about to be
 * split or merged. A primary that hears nothing more takes updates again, unless it has promised
 * not to.
 */
public final class WritePauses {
  private final Clock clock;
  private final Function<ActorId, Optional<ReplicaDriver>> drivers;
  private final Map<ActorId, Hold> holds = new ConcurrentSkipListMap<>();

  /** A pause of a primary's updates in an epoch, up to a time, unless it is extended. */
  private record Hold(long epoch, long untilNanos) {}

  /**
   * @param drivers finds this server's copies
   */
  WritePauses(Clock clock, Function<ActorId, Optional<ReplicaDriver>> drivers) {
    this.clock = clock;
    this.drivers = drivers;
  }

  /**
   * Stops a primary, and waits until its followers have all that it has. A primary stops only once
   * it knows the outcome of its prepared transaction and has its present keys.
   *
   * @param inquiry finds that outcome
   */
  public Stopped stop(Stop request, ReplicaDriver driver, OutcomeInquiry inquiry, Incoming call) {
    Replica replica = driver.replica();
    Deadline patience = Deadline.after(clock, call.deadline().remaining(clock).dividedBy(2));
    Position end = stopSettled(driver, request.epoch(), inquiry, patience);
    driver.followers().reconsider();
    hold(request.actor(), request.epoch());
    try {
      driver.followers().await(driver::copiesToReach, end, patience);
    } catch (UniserveException e) {
      holds.remove(request.actor());
      resume(driver, request.epoch());
      throw e;
    }
    boolean ranged =
        replica.target().definition().partitioner().base() instanceof Partitioner.Range;
    return new Stopped(
        end, replica.timeMillis(), ranged ? replica.split().middle() : Optional.empty());
  }

  private Position stopSettled(
      ReplicaDriver driver, long epoch, OutcomeInquiry inquiry, Deadline patience) {
    while (true) {
      Signal next = driver.followers().nextChange();
      Optional<Position> end = driver.replica().split().stop(epoch);
      if (end.isPresent()) {
        return end.get();
      }
      inquiry.conclude(driver);
      await(next, patience, driver);
    }
  }

  private static void await(Signal next, Deadline patience, ReplicaDriver driver) {
    try {
      if (next.await(patience)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new UniserveException(
        ErrorCode.UNAVAILABLE,
        driver.replica().target()
            + " does not know yet the outcome of a prepared transaction, or that it was split");
  }

  /** Extends the pause of a primary. */
  void hold(ActorId id, long epoch) {
    Duration patience = Duration.ofMillis(ReplicationMessage.STOP_MILLIS);
    if (holds.put(id, new Hold(epoch, clock.nanos() + patience.toNanos())) == null) {
      resumeLater(id, patience);
    }
  }

  private void resumeLater(ActorId id, Duration patience) {
    clock.schedule(patience, () -> resumeIfForgotten(id));
  }

  private void resumeIfForgotten(ActorId id) {
    Hold hold = holds.get(id);
    long left = hold == null ? 0 : hold.untilNanos() - clock.nanos();
    if (left > 0) {
      resumeLater(id, Duration.ofNanos(left));
    } else if (hold != null) {
      holds.remove(id);
      drivers.apply(id).ifPresent(driver -> resume(driver, hold.epoch()));
    }
  }

  private static void resume(ReplicaDriver driver, long epoch) {
    driver.replica().split().resume(epoch);
    driver.followers().reconsider();
  }

  /** Makes a stopped primary promise to accept nothing before the next epoch. */
  public Fenced fence(Fence request, ReplicaDriver driver) {
    boolean done = driver.replica().split().fence(request.epoch(), request.at(), request.next());
    driver.followers().reconsider();
    return new Fenced(done);
  }
}
