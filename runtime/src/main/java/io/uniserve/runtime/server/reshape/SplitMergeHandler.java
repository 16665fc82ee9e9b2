package io.uniserve.runtime.server.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.server.actor.ReplicaTarget;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.keys.StoredKeys;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.store.backup.BackupPlace;
import io.uniserve.runtime.store.backup.HistoryItem;
import io.uniserve.runtime.wire.ReplicationMessage.Fork;
import io.uniserve.runtime.wire.ReplicationMessage.Forked;
import io.uniserve.runtime.wire.ReplicationMessage.Half;
import io.uniserve.runtime.wire.ReplicationMessage.Unite;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * This server's part in splits and merges. It makes a copy of the new actor beside its own copies.
 * For a split, it also prepares the smaller actors that its copies will become. Whatever is made
 * here is deleted unless the control log records the change.
 */
public final class SplitMergeHandler {
  /**
   * The time that the durable store may take to receive the last updates of actors before they are
   * split or merged.
   */
  private static final Duration STORING_MAX = Duration.ofMinutes(1);

  private final ServerContext server;
  private final Copies copies;
  private final Function<ActorId, Path> directories;
  private final Function<ActorId, Optional<ReplicaDriver>> drivers;
  private final WritePauses holds;

  /** Only for {@link #tidy}. */
  private final GivenUpCopies givenUp;

  private final CopyBuilds makings;

  /** Creates copies of actors. */
  @FunctionalInterface
  public interface Copies {
    Replica of(ReplicaTarget target) throws IOException;
  }

  /**
   * @param copies creates copies of actors on this server
   * @param directories finds the directory of each actor's copy
   * @param drivers finds this server's copies
   */
  public SplitMergeHandler(
      ServerContext server,
      Copies copies,
      Function<ActorId, Path> directories,
      Function<ActorId, Optional<ReplicaDriver>> drivers) {
    this.server = server;
    this.copies = copies;
    this.directories = directories;
    this.drivers = drivers;
    this.holds = new WritePauses(server.environment().clock(), drivers);
    this.givenUp = new GivenUpCopies(server.environment().storage(), directories);
    this.makings = new CopyBuilds(server.environment().threads());
  }

  /** Returns the primaries that take no updates for a while. */
  public WritePauses pauses() {
    return holds;
  }

  /** Begins to make a copy of the new actor of a split, or returns how far that is. */
  public Forked fork(Fork request, ReplicaDriver driver) {
    Replica replica = driver.replica();
    boolean leads = requireStill(replica, request.actor(), request.epoch(), request.at());
    ActorId into = new ActorId(request.actor().table(), request.into());
    return new Forked(makings.make(into, request, () -> make(request, driver, leads)));
  }

  /** Begins to make a copy of the new actor of a merge, or returns how far that is. */
  public Forked unite(Unite request, List<ReplicaDriver> two) {
    List<Boolean> led = new ArrayList<>();
    for (int i = 0; i < two.size(); i++) {
      Half part = request.halves().get(i);
      led.add(requireStill(two.get(i).replica(), part.actor(), part.epoch(), part.at()));
    }
    ActorId into = new ActorId(request.halves().getFirst().actor().table(), request.into());
    return new Forked(makings.make(into, request, () -> make(request, two, led)));
  }

  /** Requires that a replica stays at a position, and returns whether this server leads it. */
  private boolean requireStill(Replica replica, ActorId id, long epoch, Position at) {
    if (!replica.split().stands(epoch, at)) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, replica.target() + " is not at " + at + " in epoch " + epoch);
    }
    boolean leads = replica.leads(epoch);
    if (leads) {
      holds.hold(id, epoch);
    }
    return leads;
  }

  private Replica make(Fork request, ReplicaDriver driver, boolean leads) throws IOException {
    Replica replica = driver.replica();
    if (leads) {
      // Otherwise the store could have more of the new actor than of the one that it was split off.
      storeAll(driver);
    }
    Checkpoint whole = pinned(replica, request.at());
    try {
      // The new actor's log continues from here, in its first epoch. No other attempt has the same
      // position.
      CheckpointMeta meta =
          CheckpointMeta.read(whole.directory())
              .ofPart(
                  new Position(request.birth(), request.at().sequence()),
                  request.partitioner().changedMillis(request.into()),
                  request.partitioner().generation(request.into()));
      return made(
          replica.target().part(request.into()),
          opening -> opening.part(whole, request.partitioner(), meta),
          leads ? Optional.of(request.birth()) : Optional.empty(),
          () -> {
            int generation = request.partitioner().generation(request.actor().number());
            replica.split().makeReady(whole, request.partitioner(), generation);
          });
    } finally {
      replica.files().unpin(whole);
    }
  }

  /** A further step of making a copy. */
  @FunctionalInterface
  private interface Rest {
    void run() throws IOException;
  }

  /**
   * Makes a copy and leaves it open, so that it can answer as soon as it is assigned.
   *
   * @param birth the epoch under which it is stored; empty if another server stores it
   */
  private Replica made(ReplicaTarget target, Replica.Making making, Optional<Long> birth, Rest rest)
      throws IOException {
    // An earlier attempt that failed may have left files.
    server.environment().storage().deleteTree(directories.apply(target.id()));
    Replica copy = copies.of(target);
    try {
      Checkpoint first = copy.make(making);
      if (target.backedUp() && birth.isPresent()) {
        store(target, first, birth.get());
      }
      rest.run();
      return copy;
    } catch (IOException | RuntimeException e) {
      copy.close();
      throw e;
    }
  }

  private static Checkpoint pinned(Replica replica, Position at) throws IOException {
    Checkpoint whole = replica.checkpoints().pinned();
    if (!whole.position().equals(at)) {
      replica.files().unpin(whole);
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, replica.target() + " has gone on to " + whole.position());
    }
    return whole;
  }

  private Replica make(Unite request, List<ReplicaDriver> two, List<Boolean> led)
      throws IOException {
    Replica first = two.getFirst().replica();
    Replica second = two.getLast().replica();
    ReplicaTarget target = first.target().part(request.into());
    for (int i = 0; i < two.size(); i++) {
      if (led.get(i)) {
        // The two actors will have no primary to do this later, and a restore of an earlier moment
        // needs their last updates.
        storeAll(two.get(i));
      }
    }
    Checkpoint one = pinned(first, request.halves().getFirst().at());
    try {
      Checkpoint other = pinned(second, request.halves().getLast().at());
      try {
        CheckpointMeta meta = ofBoth(request, one, other);
        return made(
            target,
            opening ->
                opening.whole(
                    one, first.target().id().number(), other, second.target().id().number(), meta),
            led.getFirst() ? Optional.of(request.birth()) : Optional.empty(),
            () -> {});
      } finally {
        second.files().unpin(other);
      }
    } finally {
      first.files().unpin(one);
    }
  }

  private void storeAll(ReplicaDriver driver) throws IOException {
    if (driver.replica().target().backedUp()) {
      driver.backup().storeAll(Deadline.after(server.environment().clock(), STORING_MAX));
    }
  }

  private static CheckpointMeta ofBoth(Unite request, Checkpoint one, Checkpoint other)
      throws IOException {
    Half first = request.halves().getFirst();
    Half second = request.halves().getLast();
    long sequence = Math.max(first.at().sequence(), second.at().sequence());
    return CheckpointMeta.read(one.directory())
        .with(
            first.actor().number(),
            StoredKeys.of(one.directory()),
            CheckpointMeta.read(other.directory()),
            second.actor().number(),
            StoredKeys.of(other.directory()),
            new Position(request.birth(), sequence),
            request.partitioner().changedMillis(request.into()),
            request.partitioner().generation(request.into()));
  }

  /**
   * Stores the new actor's first checkpoint. The new actor shares nothing of what the store has of
   * its former actors.
   */
  private void store(ReplicaTarget target, Checkpoint first, long birth) throws IOException {
    BackupPlace place = target.place();
    long timeMillis = CheckpointMeta.read(first.directory()).timeMillis();
    server.owner().require();
    server
        .backups()
        .open(place, new HistoryItem.EpochStart(birth, first.position(), false, timeMillis));
    server
        .backups()
        .checkpoint(
            place,
            new HistoryItem.Checkpoint(birth, first.position(), timeMillis),
            server.backups().history(place),
            first.directory());
  }

  /**
   * Returns whether an attempt that was given up still writes to the directory of an actor's copy.
   */
  public boolean isMaking(ActorId id) {
    return makings.isMaking(id);
  }

  /** Takes the copy of an actor that was made here; empty if there is none, or it was taken. */
  public Optional<Replica> taken(ReplicaTarget target) {
    Optional<Replica> made = makings.take(target.id());
    made.filter(copy -> !copy.target().equals(target)).ifPresent(Replica::close);
    return made.filter(copy -> copy.target().equals(target));
  }

  /** Closes all copies that were made and not taken, and any made from now on. */
  public void close() {
    makings.close();
  }

  /**
   * Deletes copies of attempts that were given up.
   *
   * @param assigned tells whether this server has a copy of an actor
   */
  public void tidy(ClusterState state, Predicate<ActorId> assigned) {
    makings.forget(
        request -> isOver(state, request),
        (into, request) -> isWanted(state, into, request, assigned),
        (into, request) -> {
          if (!cameTrue(state, into, partitioner(request)) && request instanceof Fork fork) {
            drivers.apply(fork.actor()).ifPresent(it -> it.replica().split().forgetHalf());
          }
          if (!isWanted(state, into, request, assigned)) {
            givenUp.add(into);
          }
        });
    givenUp.delete(id -> assigned.test(id) || isMaking(id));
  }

  private static boolean isWanted(
      ClusterState state, ActorId into, Message request, Predicate<ActorId> assigned) {
    return assigned.test(into) && cameTrue(state, into, partitioner(request));
  }

  /**
   * Returns whether an attempt has ended. A split also ends when its coordinator was lost and the
   * next one has given it up; then the actor continues in the same epoch.
   */
  static boolean isOver(ClusterState state, Message request) {
    return switch (request) {
      case Fork fork -> isOver(state, fork.actor(), fork.epoch()) || isGivenUp(state, fork);
      case Unite unite ->
          unite.halves().stream().anyMatch(part -> isOver(state, part.actor(), part.epoch()));
      default -> throw new IllegalStateException("no copy is made for request " + request);
    };
  }

  /**
   * Returns whether a split was given up. A state from before the attempt does not mention it, and
   * proves nothing.
   */
  private static boolean isGivenUp(ClusterState state, Fork fork) {
    return state.version() >= fork.birth()
        && state.actor(fork.actor()).filter(ActorState::splits).isEmpty();
  }

  private static boolean isOver(ClusterState state, ActorId id, long epoch) {
    return state.actor(id).filter(now -> now.epoch() == epoch).isEmpty();
  }

  private static Partitioner partitioner(Message request) {
    return request instanceof Fork fork ? fork.partitioner() : ((Unite) request).partitioner();
  }

  private static boolean cameTrue(ClusterState state, ActorId into, Partitioner made) {
    TableState table = state.tables().get(into.table());
    return table != null && table.definition().partitioner().history().containsAll(made.history());
  }
}
