package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.Partitioner;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.store.BackupPlace;
import io.uniserve.runtime.store.HistoryItem;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.ReplicationMessage.Fork;
import io.uniserve.runtime.wire.ReplicationMessage.Forked;
import io.uniserve.runtime.wire.ReplicationMessage.Half;
import io.uniserve.runtime.wire.ReplicationMessage.Unite;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this server does for actors that are to be split or merged: it makes a copy of the new actor
 * beside its copies, and, for a split, has ready what these are going to be. Nothing here outlives
 * the process that is not thrown away unless the control log has the change.
 */
final class Forks {
  private static final Logger LOG = LoggerFactory.getLogger(Forks.class);

  /** For how long the durable store may take to get what two actors have that are to end. */
  private static final Duration STORING_MAX = Duration.ofMinutes(1);

  private final ServerContext server;
  private final Copies copies;
  private final Function<ActorId, Path> directories;
  private final Function<ActorId, Optional<ReplicaDriver>> drivers;
  private final Holds holds;
  private final Makings makings;

  /** Begins copies of actors. */
  @FunctionalInterface
  interface Copies {
    Replica of(ReplicaTarget target) throws IOException;
  }

  /**
   * @param copies of actors, on this server
   * @param directories where each actor's copy is
   * @param drivers of this server's copies
   */
  Forks(
      ServerContext server,
      Copies copies,
      Function<ActorId, Path> directories,
      Function<ActorId, Optional<ReplicaDriver>> drivers) {
    this.server = server;
    this.copies = copies;
    this.directories = directories;
    this.drivers = drivers;
    this.holds = new Holds(server.environment().clock(), drivers);
    this.makings = new Makings(server.environment().threads());
  }

  /** The primaries that are stopped. */
  Holds holds() {
    return holds;
  }

  /** Begins to make a copy of the new actor, or tells how far that is. */
  Forked fork(Fork request, ReplicaDriver driver) {
    Replica replica = driver.replica();
    boolean leads = requireStill(replica, request.actor(), request.epoch(), request.at());
    ActorId into = new ActorId(request.actor().table(), request.into());
    return new Forked(makings.make(into, request, () -> make(request, replica, leads)));
  }

  /** Begins to make a copy of the new actor of two, or tells how far that is. */
  Forked unite(Unite request, List<ReplicaDriver> two) {
    List<Boolean> led = new ArrayList<>();
    for (int i = 0; i < two.size(); i++) {
      Half part = request.halves().get(i);
      led.add(requireStill(two.get(i).replica(), part.actor(), part.epoch(), part.at()));
    }
    ActorId into = new ActorId(request.halves().getFirst().actor().table(), request.into());
    return new Forked(makings.make(into, request, () -> make(request, two, led)));
  }

  /** Whether this server leads what stands still, and goes on to. */
  private boolean requireStill(Replica replica, ActorId id, long epoch, Position at) {
    if (!replica.split().stands(epoch, at)) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, replica.target() + " is not at " + at + " in epoch " + epoch);
    }
    boolean leads = replica.updates().leads(epoch);
    if (leads) {
      holds.hold(id, epoch);
    }
    return leads;
  }

  private Replica make(Fork request, Replica replica, boolean leads) throws IOException {
    Checkpoint whole = pinned(replica, request.at());
    try {
      // In its first reign its log goes on from here; no other attempt has the same place.
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

  /** What else has to be done for an actor to be split. */
  @FunctionalInterface
  private interface Rest {
    void run() throws IOException;
  }

  /**
   * Makes a copy, and leaves it open: it answers as soon as it is told that it is one.
   *
   * @param birth the reign under which it is stored; empty if another server stores it
   */
  private Replica made(ReplicaTarget target, Replica.Making making, Optional<Long> birth, Rest rest)
      throws IOException {
    // Whatever stands there is of an attempt that came to nothing.
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
    if (target.backedUp()) {
      for (int i = 0; i < two.size(); i++) {
        if (led.get(i)) {
          // Nobody will: as of a moment before, the two are restored.
          two.get(i).backup().flush(Deadline.after(server.environment().clock(), STORING_MAX));
        }
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

  /** Of what the store has of the actors that it comes of, nothing is the new one's. */
  private void store(ReplicaTarget target, Checkpoint first, long birth) throws IOException {
    BackupPlace place = target.place();
    long timeMillis = CheckpointMeta.read(first.directory()).timeMillis();
    server.owner().require();
    server.backups().open(place, new HistoryItem.Reign(birth, first.position(), false, timeMillis));
    server
        .backups()
        .checkpoint(
            place,
            new HistoryItem.Checkpoint(birth, first.position(), timeMillis),
            server.backups().history(place),
            first.directory());
  }

  /** Whether an attempt that came to nothing writes still where an actor's copy is to be. */
  boolean isMaking(ActorId id) {
    return makings.isMaking(id);
  }

  /** The copy of an actor that was made here and that nobody has had yet. */
  Optional<Replica> taken(ReplicaTarget target) {
    Optional<Replica> made = makings.take(target.id());
    made.filter(copy -> !copy.target().equals(target)).ifPresent(Replica::close);
    return made.filter(copy -> copy.target().equals(target));
  }

  /** Closes what is made and not taken, and whatever is made from now on. */
  void close() {
    makings.close();
  }

  /**
   * Throws away what came to nothing.
   *
   * @param assigned whether this server is to have an actor
   */
  void tidy(ClusterState state, Predicate<ActorId> assigned) {
    makings.forget(
        request -> isOver(state, request),
        (into, request) -> isWanted(state, into, request, assigned),
        (into, request) -> {
          if (!cameTrue(state, into, partitioner(request)) && request instanceof Fork fork) {
            drivers.apply(fork.actor()).ifPresent(it -> it.replica().split().forgetHalf());
          }
          if (!isWanted(state, into, request, assigned)) {
            delete(into);
          }
        });
  }

  private static boolean isWanted(
      ClusterState state, ActorId into, Message request, Predicate<ActorId> assigned) {
    return assigned.test(into) && cameTrue(state, into, partitioner(request));
  }

  /**
   * Whether an attempt has come to its end, be it that its coordinator was lost and the next one
   * has given the split up: then the actor goes on in the same reign.
   */
  static boolean isOver(ClusterState state, Message request) {
    return switch (request) {
      case Fork fork -> isOver(state, fork.actor(), fork.epoch()) || isGivenUp(state, fork);
      case Unite unite ->
          unite.halves().stream().anyMatch(part -> isOver(state, part.actor(), part.epoch()));
      default -> throw new IllegalStateException("nothing is made for " + request);
    };
  }

  /** A state from before the attempt does not say that there is one. */
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

  private void delete(ActorId id) {
    try {
      server.environment().storage().deleteTree(directories.apply(id));
    } catch (IOException e) {
      LOG.warn("what was made of actor {} cannot be deleted", id, e);
    }
  }
}
