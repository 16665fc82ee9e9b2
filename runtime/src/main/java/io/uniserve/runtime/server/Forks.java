package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.Partitioner;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.store.BackupPlace;
import io.uniserve.runtime.store.HistoryItem;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.ReplicationMessage;
import io.uniserve.runtime.wire.ReplicationMessage.Fence;
import io.uniserve.runtime.wire.ReplicationMessage.Fenced;
import io.uniserve.runtime.wire.ReplicationMessage.Fork;
import io.uniserve.runtime.wire.ReplicationMessage.Forked;
import io.uniserve.runtime.wire.ReplicationMessage.Stop;
import io.uniserve.runtime.wire.ReplicationMessage.Stopped;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this server does for actors that are to be split: as a primary, it takes no updates for a
 * while; it makes a copy of the new actor beside each of its copies, and has ready what these are
 * going to be. Nothing here outlives the process that is not thrown away unless the control log has
 * the split.
 */
final class Forks {
  private static final Logger LOG = LoggerFactory.getLogger(Forks.class);

  private final ServerContext server;
  private final EngineThreads engineThreads;
  private final Function<ActorId, Path> directories;

  private final Function<ActorId, Optional<ReplicaDriver>> drivers;

  /** The primaries that were told to stop. */
  private final Map<ActorId, Hold> holds = new ConcurrentSkipListMap<>();

  /** Until when a primary takes no updates in an epoch, unless it hears more. */
  private record Hold(long epoch, long untilNanos) {}

  /** What is being made, or was, by the new actor. */
  private final Map<ActorId, Making> making = new ConcurrentSkipListMap<>();

  private static final class Making {
    private final Fork request;
    private final Replica replica;
    private final boolean leads;
    private volatile boolean ended;
    private volatile UniserveException failure;

    Making(Fork request, Replica replica, boolean leads) {
      this.request = request;
      this.replica = replica;
      this.leads = leads;
    }
  }

  /**
   * @param directories where each actor's copy is
   * @param drivers of this server's copies
   */
  Forks(
      ServerContext server,
      EngineThreads engineThreads,
      Function<ActorId, Path> directories,
      Function<ActorId, Optional<ReplicaDriver>> drivers) {
    this.server = server;
    this.engineThreads = engineThreads;
    this.directories = directories;
    this.drivers = drivers;
  }

  /** Stops a primary, and waits until its followers have what it has. */
  Stopped stop(Stop request, ReplicaDriver driver, Incoming call) {
    Replica replica = driver.replica();
    Position end =
        replica
            .beginHandOver(request.epoch())
            .orElseThrow(
                () ->
                    new UniserveException(
                        ErrorCode.STALE_ROUTING,
                        replica.target() + " is not led here in epoch " + request.epoch()));
    driver.followers().changed();
    holdStopped(request.actor(), request.epoch());
    Clock clock = server.environment().clock();
    Deadline patience = Deadline.after(clock, call.deadline().remaining(clock).dividedBy(2));
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

  private void holdStopped(ActorId id, long epoch) {
    Duration patience = Duration.ofMillis(ReplicationMessage.STOP_MILLIS);
    if (holds.put(id, new Hold(epoch, nanos() + patience.toNanos())) == null) {
      resumeLater(id, patience);
    }
  }

  private void resumeLater(ActorId id, Duration patience) {
    server.environment().clock().schedule(patience, () -> resumeIfForgotten(id));
  }

  private void resumeIfForgotten(ActorId id) {
    Hold hold = holds.get(id);
    long left = hold == null ? 0 : hold.untilNanos() - nanos();
    if (left > 0) {
      resumeLater(id, Duration.ofNanos(left));
    } else if (hold != null) {
      holds.remove(id);
      drivers.apply(id).ifPresent(driver -> resume(driver, hold.epoch()));
    }
  }

  private static void resume(ReplicaDriver driver, long epoch) {
    driver.replica().split().resume(epoch);
    driver.followers().changed();
  }

  private long nanos() {
    return server.environment().clock().nanos();
  }

  /** Begins to make a copy of the new actor, or tells how far that is. */
  Forked fork(Fork request, ReplicaDriver driver) {
    Replica replica = driver.replica();
    if (!replica.split().stands(request.epoch(), request.at())) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          replica.target() + " is not at " + request.at() + " in epoch " + request.epoch());
    }
    boolean leads = replica.updates().leads(request.epoch());
    if (leads) {
      holdStopped(request.actor(), request.epoch());
    }
    ActorId into = new ActorId(request.actor().table(), request.into());
    Making now =
        making.compute(
            into,
            (id, known) -> same(known, request) ? known : begin(request, replica, leads, known));
    if (now.failure != null) {
      throw now.failure;
    }
    return new Forked(now.ended);
  }

  private static boolean same(Making known, Fork request) {
    return known != null && known.request.equals(request);
  }

  private Making begin(Fork request, Replica replica, boolean leads, Making before) {
    if (before != null && !before.ended) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, "what an earlier attempt to split makes is not thrown away yet");
    }
    Making begun = new Making(request, replica, leads);
    server.environment().threads().start("fork of " + replica.target(), () -> run(begun));
    return begun;
  }

  private void run(Making now) {
    Replica replica = now.replica;
    try {
      make(now.request, replica, now.leads);
    } catch (IOException | RuntimeException e) {
      LOG.warn("no part of {} can be made", replica.target(), e);
      now.failure =
          e instanceof UniserveException known && known.retryable()
              ? known
              : new UniserveException(
                  ErrorCode.UNAVAILABLE,
                  "no part of " + replica.target() + " can be made: " + e,
                  e);
    } finally {
      now.ended = true;
    }
  }

  /** Whatever stood there is of an attempt that came to nothing. */
  private void make(Fork request, Replica replica, boolean leads) throws IOException {
    ReplicaTarget target = replica.target().part(request.into());
    Path directory = directories.apply(target.id());
    server.environment().storage().deleteTree(directory);
    ReplicaFiles files = new ReplicaFiles(server.environment().storage(), directory);
    Checkpoint whole = replica.checkpoints().pinned();
    try {
      if (!whole.position().equals(request.at())) {
        throw new UniserveException(
            ErrorCode.UNAVAILABLE, replica.target() + " has gone on to " + whole.position());
      }
      Checkpoint part = part(request, target, files, whole);
      if (target.backedUp() && leads) {
        store(target, part, request.birth());
      }
      int generation = request.partitioner().generation(request.actor().number());
      replica.split().makeReady(whole, request.partitioner(), generation);
    } finally {
      replica.files().unpin(whole);
    }
  }

  /** In its first reign its log goes on from here; no other attempt has the same place. */
  private Checkpoint part(Fork request, ReplicaTarget target, ReplicaFiles files, Checkpoint whole)
      throws IOException {
    EngineActors actors = new EngineActors(target, server.engines(), engineThreads, files);
    Path begun = files.begin();
    try {
      LiveActor live = actors.open(whole);
      try {
        actors.retain(live, request.partitioner());
        actors.serialize(live, Files.createDirectories(begun.resolve("engine")));
      } finally {
        live.retire();
      }
      Position start = new Position(request.birth(), request.at().sequence());
      CheckpointMeta meta =
          CheckpointMeta.read(whole.directory())
              .ofPart(
                  start,
                  request.partitioner().cutMillis(request.into()),
                  request.partitioner().generation(request.into()));
      return files.finish(begun, meta);
    } finally {
      files.delete(begun);
    }
  }

  /** Of what the store has of the actor that is split, nothing is the new one's. */
  private void store(ReplicaTarget target, Checkpoint part, long birth) throws IOException {
    BackupPlace place = target.place();
    long timeMillis = CheckpointMeta.read(part.directory()).timeMillis();
    server.backups().open(place, new HistoryItem.Reign(birth, part.position(), false, timeMillis));
    server
        .backups()
        .checkpoint(
            place,
            new HistoryItem.Checkpoint(birth, part.position(), timeMillis),
            server.backups().history(place),
            part.directory());
  }

  /** Whether an attempt that came to nothing writes still where an actor's copy is to be. */
  boolean isMaking(ActorId id) {
    Making now = making.get(id);
    return now != null && !now.ended;
  }

  /** Accepts nothing more before the next reign. */
  Fenced fence(Fence request, ReplicaDriver driver) {
    boolean done = driver.replica().split().fence(request.epoch(), request.at(), request.next());
    driver.followers().changed();
    return new Fenced(done);
  }

  /**
   * Throws away what came to nothing.
   *
   * @param assigned whether this server is to have an actor
   */
  void tidy(ClusterState state, Predicate<ActorId> assigned) {
    for (Map.Entry<ActorId, Making> made : List.copyOf(making.entrySet())) {
      Fork request = made.getValue().request;
      boolean over =
          state.actor(request.actor()).filter(now -> now.epoch() == request.epoch()).isEmpty();
      if (over && made.getValue().ended) {
        making.remove(made.getKey(), made.getValue());
        boolean cameTrue = cameTrue(state, request);
        if (!cameTrue) {
          made.getValue().replica.split().forgetHalf();
        }
        if (!assigned.test(made.getKey()) || !cameTrue) {
          delete(made.getKey());
        }
      }
    }
  }

  private static boolean cameTrue(ClusterState state, Fork request) {
    TableState table = state.tables().get(request.actor().table());
    return table != null
        && table.definition().partitioner() instanceof Partitioner.Refined refined
        && refined.cuts().containsAll(((Partitioner.Refined) request.partitioner()).cuts());
  }

  private void delete(ActorId id) {
    try {
      server.environment().storage().deleteTree(directories.apply(id));
    } catch (IOException e) {
      LOG.warn("what was made of actor {} cannot be deleted", id, e);
    }
  }
}
