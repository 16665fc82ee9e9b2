package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.checkpoint.DamagedCopyException;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.replica.Role;
import io.uniserve.runtime.server.replication.FollowerProgress;
import io.uniserve.runtime.server.replication.FollowerReach;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.server.reshape.SplitMergeHandler;
import io.uniserve.runtime.server.update.OutcomeInquiry;
import io.uniserve.runtime.wire.ReplicationMessage;
import io.uniserve.runtime.wire.ReplicationMessage.CloseCheckpoint;
import io.uniserve.runtime.wire.ReplicationMessage.Closed;
import io.uniserve.runtime.wire.ReplicationMessage.Entries;
import io.uniserve.runtime.wire.ReplicationMessage.Follow;
import io.uniserve.runtime.wire.ReplicationMessage.HandOver;
import io.uniserve.runtime.wire.ReplicationMessage.HandedOver;
import io.uniserve.runtime.wire.ReplicationMessage.OpenCheckpoint;
import io.uniserve.runtime.wire.ReplicationMessage.ReadFile;
import io.uniserve.runtime.wire.ReplicationMessage.Reload;
import io.uniserve.runtime.wire.ReplicationMessage.Seal;
import io.uniserve.runtime.wire.ReplicationMessage.Sealed;
import io.uniserve.runtime.wire.ReplicationMessage.UnreachedCopy;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The answers to other copies of this server's actors, and to the coordinator's fencing (DPA §4.3).
 */
final class Replication {
  private final ServerContext server;
  private final Function<ActorId, Optional<ReplicaDriver>> drivers;
  private final CheckpointSessions sessions;
  private final SplitMergeHandler handler;
  private final OutcomeInquiry inquiry;
  private final FollowerReach reach;

  Replication(
      ServerContext server,
      Function<ActorId, Optional<ReplicaDriver>> drivers,
      SplitMergeHandler handler,
      OutcomeInquiry inquiry,
      FollowerReach reach) {
    this.server = server;
    this.reach = reach;
    this.handler = handler;
    this.inquiry = inquiry;
    this.drivers = drivers;
    this.sessions = new CheckpointSessions(server.environment().clock());
  }

  void handle(ReplicationMessage request, Incoming call) {
    if (request instanceof Follow follow) {
      try {
        drivers.apply(follow.actor()).ifPresent(driver -> driver.asked(follow));
        if (keeps(follow, call)) {
          return;
        }
      } catch (RuntimeException e) {
        call.fail(UniserveException.of(e));
        return;
      }
    }
    start(request, call);
  }

  private void start(ReplicationMessage request, Incoming call) {
    server.environment().threads().start("replication", () -> run(request, call));
  }

  /**
   * Keeps the request of a follower until there is something new for it, or answers it at once. It
   * needs no thread meanwhile.
   *
   * @return false if a thread has to answer the request
   */
  private boolean keeps(Follow request, Incoming call) {
    Optional<ReplicaDriver> led =
        drivers.apply(request.actor()).filter(driver -> driver.replica().leads(request.epoch()));
    if (led.isEmpty() || !request.patient()) {
      return false;
    }
    ReplicaDriver driver = led.get();
    admit(request, driver);
    FollowerProgress.Request kept = () -> look(request, driver, call);
    if (isLevel(request, driver)) {
      driver.followers().follows(request.follower(), request.statusSince());
      requireCurrent(request, driver);
      driver.followers().applied(request.follower(), request.after());
    }
    driver.followers().keep(request.follower(), kept);
    if (!isLevel(request, driver)) {
      driver.followers().hurry(request.follower(), kept);
    }
    return true;
  }

  /** Returns whether this server leads the epoch, and has nothing that the follower has not. */
  private static boolean isLevel(Follow request, ReplicaDriver driver) {
    Replica replica = driver.replica();
    return replica.held()
        && replica.leads(request.epoch())
        && replica.position().equals(request.after());
  }

  /** Answers a request that was kept with what is at hand, or has a thread look for it. */
  private void look(Follow request, ReplicaDriver driver, Incoming call) {
    try {
      driver.followers().follows(request.follower(), request.statusSince());
      requireCurrent(request, driver);
      Optional<List<LogEntry>> entries =
          driver
              .replica()
              .recentAfter(
                  request.epoch(), request.after(), server.settings().copies().followBytesMax());
      if (entries.isEmpty() || call.cancelled()) {
        start(request, call);
        return;
      }
      driver.followers().applied(request.follower(), request.after());
      call.reply(new Entries(entries.get(), driver.replica().position()));
      call.complete();
    } catch (RuntimeException e) {
      call.fail(UniserveException.of(e));
    }
  }

  private void run(ReplicationMessage request, Incoming call) {
    try {
      call.reply(answer(request, call));
      call.complete();
    } catch (RuntimeException e) {
      call.fail(UniserveException.of(e));
    } catch (IOException e) {
      call.fail(
          new UniserveException(
              ErrorCode.UNAVAILABLE, "files of an actor cannot be read: " + e.getMessage(), e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Message answer(ReplicationMessage request, Incoming call)
      throws IOException, InterruptedException {
    return switch (request) {
      case Follow follow -> follow(follow, call);
      case OpenCheckpoint open -> openCheckpoint(sender(open));
      case ReadFile read -> sessions.read(read);
      case CloseCheckpoint close -> {
        sessions.close(close.session());
        yield new Closed();
      }
      case Seal seal -> seal(seal);
      case HandOver handOver -> handOver(handOver, call);
      case ReplicationMessage.Stop stop ->
          handler.pauses().stop(stop, ofCopy(stop.actor(), stop.copy()), inquiry, call);
      case ReplicationMessage.Fork fork -> handler.fork(fork, ofCopy(fork.actor(), fork.copy()));
      case ReplicationMessage.Unite unite ->
          handler.unite(
              unite,
              unite.halves().stream().map(part -> ofCopy(part.actor(), part.copy())).toList());
      case ReplicationMessage.Fence fence ->
          handler.pauses().fence(fence, ofCopy(fence.actor(), fence.copy()));
      case ReplicationMessage.Unreached unreached -> {
        unreached.copies().forEach(this::unreached);
        yield new ReplicationMessage.Told();
      }
      default ->
          throw UniserveException.invalid(
              "a server is not asked for " + request.getClass().getSimpleName());
    };
  }

  private void unreached(UnreachedCopy told) {
    drivers.apply(told.actor()).ifPresent(driver -> driver.unreached(told));
  }

  /** Waits for new entries, but not for longer than a follower wants to. */
  private Message follow(Follow request, Incoming call) throws IOException, InterruptedException {
    ReplicaDriver driver = leader(request.actor());
    Clock clock = server.environment().clock();
    Deadline patience = Deadline.after(clock, server.settings().copies().followTimeout());
    admit(request, driver);
    while (true) {
      Signal next = driver.followers().nextChange();
      driver.followers().follows(request.follower(), request.statusSince());
      requireCurrent(request, driver);
      Optional<List<LogEntry>> entries = after(request, driver);
      if (entries.isEmpty()) {
        driver.followers().followsNoMore(request.follower());
        return new Reload(
            "its position " + request.after() + " is not in the log of " + server.name());
      }
      driver.followers().applied(request.follower(), request.after());
      boolean answer = !request.patient() || !entries.get().isEmpty();
      if (answer || !next.await(patience.earlier(call.deadline())) || call.cancelled()) {
        return new Entries(entries.get(), driver.replica().position());
      }
    }
  }

  private void admit(Follow request, ReplicaDriver driver) {
    requireFollower(request, driver);
    requireReached(request, driver);
    driver.followers().heard(request.follower(), server.environment().clock().nanos());
  }

  private Optional<List<LogEntry>> after(Follow request, ReplicaDriver driver) throws IOException {
    try {
      return driver
          .replica()
          .after(request.epoch(), request.after(), server.settings().copies().followBytesMax());
    } catch (DamagedCopyException e) {
      driver.damaged(e);
      throw e;
    }
  }

  private Message openCheckpoint(ReplicaDriver driver) throws IOException {
    try {
      return sessions.open(driver.replica());
    } catch (DamagedCopyException e) {
      driver.damaged(e);
      throw e;
    }
  }

  /**
   * Requires that this server knows the follower's copy. A copy that it does not know might become
   * readable unnoticed.
   */
  private void requireFollower(Follow request, ReplicaDriver driver) {
    if (!driver.assignment().others().contains(request.follower())) {
      throw new UniserveException(
          ErrorCode.STALE_ROUTING,
          "server "
              + server.name()
              + " does not know yet that "
              + request.follower().server()
              + " has a copy of actor "
              + request.actor());
    }
  }

  /**
   * Requires that the follower knows if its copy must be brought up to date. Until it does, no
   * update waits for it, and it may not follow with its former status.
   */
  private void requireCurrent(Follow request, ReplicaDriver driver) {
    Optional<Long> loadingSince = driver.assignment().loadingSince(request.follower());
    if (loadingSince.filter(since -> since > request.statusSince()).isPresent()) {
      driver.followers().forgetOutdated(driver.assignment());
      throw new UniserveException(
          ErrorCode.STALE_ROUTING,
          "server "
              + request.follower().server()
              + " does not know yet that its copy of actor "
              + request.actor()
              + " must be brought up to date");
    }
  }

  /**
   * Requires that a loading follower is within reach. Updates would have to wait for one that is
   * lost repeatedly.
   */
  private void requireReached(Follow request, ReplicaDriver driver) {
    String peer = request.follower().server();
    boolean loading = driver.assignment().loadingSince(request.follower()).isPresent();
    if (loading && reach.refuses(peer)) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "server "
              + server.name()
              + " does not reach server "
              + peer
              + ", or has reached it again only lately");
    }
  }

  /**
   * Seals a replica. A server that has not looked at its disk yet, or could not open the files
   * there, does not know what it holds, so it must not vote. It must not vote with a copy that it
   * is about to delete either, even if it has not heard of that yet.
   */
  private Sealed seal(Seal seal) {
    ReplicaDriver driver = ofCopy(seal.actor(), seal.copy());
    Optional<Sealed> sealed = driver.replica().seal(seal.epoch());
    driver.followers().reconsider();
    return sealed.orElseThrow(() -> unknown(seal.actor()));
  }

  /**
   * Hands the lead over. In the end the replica has either promised or continues to lead. Once it
   * has promised, updates that still wait for copies fail, and their clients send them to the next
   * primary.
   */
  private HandedOver handOver(HandOver request, Incoming call) {
    ReplicaDriver driver = leader(request.actor());
    if (!driver.assignment().copy().id().equals(request.from())) {
      throw notLed(request.actor());
    }
    Replica replica = driver.replica();
    Position end =
        replica.beginHandOver(request.epoch()).orElseThrow(() -> notLed(request.actor()));
    boolean done = false;
    boolean level = false;
    try {
      driver.followers().reconsider();
      level = becomesLevel(request, driver, end, call);
    } finally {
      done = replica.endHandOver(request.epoch(), end, level, request.next());
      driver.followers().reconsider();
    }
    return new HandedOver(done, end);
  }

  /**
   * Waits until the next primary is level, for half of the time that the coordinator waits, so that
   * it hears the outcome.
   */
  private boolean becomesLevel(
      HandOver request, ReplicaDriver driver, Position end, Incoming call) {
    Clock clock = server.environment().clock();
    Deadline patience = Deadline.after(clock, call.deadline().remaining(clock).dividedBy(2));
    try {
      driver.followers().await(() -> List.of(request.to()), end, patience);
      return true;
    } catch (UniserveException e) {
      return false;
    }
  }

  private ReplicaDriver ofCopy(ActorId actor, CopyId copy) {
    return drivers
        .apply(actor)
        .filter(known -> known.replica().known() && !known.dropped())
        .filter(known -> known.assignment().copy().id().equals(copy))
        .orElseThrow(() -> unknown(actor));
  }

  private UniserveException unknown(ActorId actor) {
    return new UniserveException(
        ErrorCode.UNAVAILABLE,
        "server " + server.name() + " does not know yet what it holds of actor " + actor);
  }

  private ReplicaDriver leader(ActorId actor) {
    return drivers
        .apply(actor)
        .filter(driver -> leads(driver.replica().role()))
        .orElseThrow(() -> notLed(actor));
  }

  /** Returns the copy whose files are asked for. */
  private ReplicaDriver sender(OpenCheckpoint open) {
    return open.ofFollower()
        ? drivers
            .apply(open.actor())
            .filter(driver -> driver.assignment().copy().isRead())
            .filter(driver -> isOf(driver.replica().role(), open.epoch()))
            .orElseThrow(() -> unknown(open.actor()))
        : leader(open.actor());
  }

  private static boolean isOf(Role role, long epoch) {
    return role instanceof Role.Following following && following.epoch() == epoch
        || role instanceof Role.Leading leading && leading.epoch() == epoch;
  }

  private static boolean leads(Role role) {
    return role instanceof Role.Leading || role instanceof Role.HandingOver;
  }

  private UniserveException notLed(ActorId actor) {
    return new UniserveException(
        ErrorCode.STALE_ROUTING, "server " + server.name() + " does not lead actor " + actor);
  }
}
