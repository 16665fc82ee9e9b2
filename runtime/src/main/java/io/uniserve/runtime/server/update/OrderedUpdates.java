package io.uniserve.runtime.server.update;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.keys.DamagedKeysException;
import io.uniserve.runtime.server.membership.Membership;
import io.uniserve.runtime.server.replica.Received;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.wire.OrderedMessage.Deliver;
import io.uniserve.runtime.wire.OrderedMessage.Delivered;
import io.uniserve.runtime.wire.OrderedMessage.RecallOutcome;
import io.uniserve.runtime.wire.OrderedMessage.Recalled;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The ordered updates that the coordinator delivers to actors led by this server. An update is
 * answered once it is on the disks of every readable copy, and as durable as the table requires,
 * since the controllers forget it then. Each message has a light thread of its own. One that comes
 * before those that precede it waits for them.
 */
public final class OrderedUpdates {
  /** The time for which an update waits for those before it. */
  private static final Duration PATIENCE = Duration.ofMillis(300);

  private final ServerContext server;
  private final Membership membership;
  private final Function<ActorId, Optional<ReplicaDriver>> drivers;
  private final FirmUpdates firm;
  private final ArrivalSignals arrivals;

  public OrderedUpdates(
      ServerContext server,
      Membership membership,
      Function<ActorId, Optional<ReplicaDriver>> drivers,
      FirmUpdates firm) {
    this.firm = firm;
    this.server = server;
    this.membership = membership;
    this.drivers = drivers;
    this.arrivals = new ArrivalSignals(server.environment().threads());
  }

  public void handle(Deliver request, Incoming call) {
    server
        .environment()
        .threads()
        .start(
            "ordered updates",
            () -> run(() -> receive(request, driver(request.actor()), call), call));
  }

  /** Tells what an actor remembers of an update. */
  public void handle(RecallOutcome request, Incoming call) {
    server.environment().threads().start("outcome", () -> run(() -> recall(request), call));
  }

  private Recalled recall(RecallOutcome request) {
    ReplicaDriver driver = driver(request.actor());
    EpochCheck check = EpochCheck.begin(membership, driver);
    UpdateKey key = new UpdateKey(request.key(), 0, Hash.NONE);
    Recalled recalled = recall(driver, key);
    check.end();
    return recalled;
  }

  private static Recalled recall(ReplicaDriver driver, UpdateKey key) {
    try {
      return new Recalled(driver.replica().recall(key));
    } catch (DamagedKeysException e) {
      throw driver.noted(e);
    }
  }

  private static void run(Supplier<Message> work, Incoming call) {
    try {
      call.reply(work.get());
      call.complete();
    } catch (RuntimeException e) {
      call.fail(UniserveException.of(e));
    }
  }

  private Delivered receive(Deliver request, ReplicaDriver driver, Incoming call) {
    driver.backup().requireOwner();
    EpochCheck check = EpochCheck.begin(membership, driver);
    driver.backup().admit(call.deadline());
    Received received = received(request, driver, call);
    if (!request.marks().isEmpty()) {
      driver.followers().changed(); // reads wait for the marks on their copies
    }
    List<Result> results = received.results();
    Optional<UniserveException> failure = received.failure();
    arrivals.arrived(request.actor());
    failure.ifPresent(driver::noted);
    if (results.isEmpty() && failure.isPresent()) {
      throw failure.get();
    }
    if (!results.isEmpty()) {
      awaitEverywhere(results, driver, check, call);
    }
    check.end();
    return new Delivered(results, received.behind());
  }

  /** Takes updates. It waits a moment for those before them, which may be under way. */
  private Received received(Deliver request, ReplicaDriver driver, Incoming call) {
    Deadline patience =
        Deadline.after(server.environment().clock(), PATIENCE).earlier(call.deadline());
    Partitioner partitioner = driver.assignment().partitioner();
    while (true) {
      Signal next = arrivals.next(request.actor());
      Received received =
          driver
              .replica()
              .receive(request.generation(), partitioner, request.updates(), request.marks());
      if (received.behind().isEmpty() || !arrivals.await(next, patience)) {
        return received;
      }
    }
  }

  /**
   * Waits until updates are on the disks of every readable copy. That includes updates known
   * before, which may not be everywhere yet.
   */
  private void awaitEverywhere(
      List<Result> results, ReplicaDriver driver, EpochCheck check, Incoming call) {
    Position last = results.stream().map(Result::position).max(Position::compareTo).orElseThrow();
    firm.await(driver, check::copiesToReach, last, call.deadline());
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
