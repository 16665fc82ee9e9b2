package io.uniserve.runtime.server;

import io.uniserve.api.Durability;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.Partitioner;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.store.BackupPlace;
import io.uniserve.runtime.wire.LogEntry;
import io.uniserve.runtime.wire.Position;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the durable store has of one replica's actor, and how more gets there, while this server
 * leads it (DPA §4.3, QAS §4.2). All who wait for updates to be stored wait for one upload of
 * everything that there is to upload (group commit).
 */
final class ReplicaBackup {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaBackup.class);

  private final ServerContext server;
  private final Replica replica;
  private final BackupLog log;
  private final BackupTakeover takeover;
  private final BackupCheckpoints checkpoints;
  private final ReentrantLock lock = new ReentrantLock();

  /** Null while nobody uploads. */
  private Attempt running;

  /** Null until the store was asked in the epoch that this replica leads. */
  private volatile StoredReach reach;

  /** Where this replica began to lead. */
  private volatile Led led = new Led(0, Position.START);

  /** The table's, where this replica began to lead. */
  private volatile Partitioner shape = new Partitioner.Hash(1);

  private volatile long levelAtNanos;

  private record Led(long epoch, Position from) {}

  /** One upload, which any number of threads wait for. */
  private static final class Attempt {
    private final Signal done;
    private volatile UniserveException failure;

    Attempt(Signal done) {
      this.done = done;
    }
  }

  ReplicaBackup(ServerContext server, Replica replica, StoredData stored) {
    this.server = server;
    this.replica = replica;
    this.log = new BackupLog(server, replica);
    this.takeover = new BackupTakeover(server, replica, stored);
    this.checkpoints = new BackupCheckpoints(server, replica);
    this.levelAtNanos = server.environment().clock().nanos();
  }

  BackupPlace place() {
    return replica.target().place();
  }

  private Durability durability() {
    return replica.target().definition().durability();
  }

  /** Whether the table is in the durable store at all. */
  boolean enabled() {
    return durability() != Durability.NONE;
  }

  /**
   * To be called before the replica leads an epoch: catches up with what the store has, and takes
   * over its history. If the store fails, a table of asynchronous durability is led nevertheless.
   *
   * @throws UniserveException if a table of synchronous durability cannot be led yet
   */
  void takeOver(long epoch, Partitioner partitioner) throws IOException {
    shape = partitioner;
    if (!enabled() || led.epoch == epoch) {
      return;
    }
    if (waitsForOwner()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          replica.target() + " waits until this server may write to the store");
    }
    try {
      StoredReach taken = takeover.catchUp(epoch, partitioner);
      if (durability() == Durability.SYNCHRONOUS && !taken.based()) {
        taken = checkpoints.make(taken, position -> {});
      }
      reach = taken;
    } catch (UniserveException e) {
      if (durability() == Durability.SYNCHRONOUS || !storeFailed(e)) {
        throw e;
      }
      LOG.warn("{} is led without a look at the durable store", replica.target(), e);
    }
    levelAtNanos = server.environment().clock().nanos();
    led = new Led(epoch, replica.position());
  }

  /** A store that does not answer is waited for elsewhere. */
  private boolean waitsForOwner() {
    try {
      return server.owner().isWaiting();
    } catch (UniserveException e) {
      return false;
    }
  }

  /** What is damaged in the store is as good as lost; what it does not answer may come later. */
  private static boolean storeFailed(UniserveException e) {
    return e.code() == ErrorCode.UNAVAILABLE
        || e.code() == ErrorCode.EXHAUSTED
        || e.code() == ErrorCode.CORRUPT
        || e.code() == ErrorCode.INVALID_ARGUMENT;
  }

  /** What the store is known to have; empty if this replica does not lead. */
  Optional<Position> stored() {
    StoredReach now = reach;
    return now != null && leads(now.epoch()) ? Optional.of(now.end()) : Optional.empty();
  }

  private boolean leads(long epoch) {
    return replica.updates().leads(epoch);
  }

  /** How many updates the store lacks. */
  long entriesBehind() {
    Position known = stored().orElse(led.from);
    return enabled() ? Math.max(0, replica.position().sequence() - known.sequence()) : 0;
  }

  /** For how long the store has lacked something. */
  Duration behind() {
    return entriesBehind() == 0
        ? Duration.ZERO
        : Duration.ofNanos(server.environment().clock().nanos() - levelAtNanos);
  }

  /**
   * Refuses an update of a table of synchronous durability where this server may not write to the
   * store.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE}; nothing was applied
   */
  void requireOwner() {
    if (durability() == Durability.SYNCHRONOUS) {
      server
          .owner()
          .refusal()
          .ifPresent(
              why -> {
                throw new UniserveException(ErrorCode.UNAVAILABLE, "the durable store: " + why);
              });
    }
  }

  /**
   * Lets an update in only while the store is not too far behind, for tables of asynchronous
   * durability, whose lag is bounded.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE}; nothing was applied
   */
  void admit(Deadline deadline) {
    if (durability() != Durability.ASYNCHRONOUS) {
      return;
    }
    if (entriesBehind() == 0) {
      levelAtNanos = server.environment().clock().nanos();
    } else if (tooFarBehind()) {
      try {
        awaitStored(replica.position(), deadline);
      } catch (UniserveException e) {
        throw new UniserveException(
            ErrorCode.UNAVAILABLE,
            "nothing was applied: the durable store is "
                + entriesBehind()
                + " updates of "
                + replica.target()
                + " behind, since "
                + behind().toSeconds()
                + " s: "
                + e.getMessage(),
            e);
      }
    }
  }

  private boolean tooFarBehind() {
    return entriesBehind() >= server.settings().backupLagEntriesMax()
        || behind().compareTo(server.settings().backupLagMax()) > 0;
  }

  /**
   * Waits until an applied update is in the store, if its table is to be acknowledged only then.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE}; the update was applied, and may
   *     survive or not
   */
  void awaitDurable(Position position, Deadline deadline) {
    if (durability() != Durability.SYNCHRONOUS) {
      return;
    }
    try {
      awaitStored(position, deadline);
    } catch (UniserveException e) {
      ErrorCode code = e.retryable() ? e.code() : ErrorCode.UNAVAILABLE;
      throw new UniserveException(
          code == ErrorCode.EXHAUSTED ? ErrorCode.UNAVAILABLE : code,
          "the update of "
              + replica.target()
              + " was applied at "
              + position
              + ", but is not known to be in the durable store, and may be lost; sent again with"
              + " the same key it is not applied twice: "
              + e.getMessage(),
          e);
    }
  }

  /** Stores everything applied so far. */
  void flush(Deadline deadline) {
    awaitStored(replica.position(), deadline);
  }

  private void awaitStored(Position position, Deadline deadline) {
    while (requireReach().end().sequence() < position.sequence()) {
      Attempt mine = new Attempt(server.environment().threads().signal());
      Attempt attempt = join(mine);
      if (attempt == mine) {
        run(mine);
      } else {
        await(attempt, deadline);
      }
      if (attempt.failure != null) {
        throw attempt.failure;
      }
    }
  }

  private StoredReach requireReach() {
    StoredReach now = reach;
    if (now == null || !leads(now.epoch())) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, replica.target() + " does not know the durable store's state");
    }
    return now;
  }

  /** The attempt that runs; this one from now on, if none does. */
  private Attempt join(Attempt mine) {
    lock.lock();
    try {
      running = running == null ? mine : running;
      return running;
    } finally {
      lock.unlock();
    }
  }

  private void run(Attempt attempt) {
    try {
      upload();
    } catch (RuntimeException e) {
      attempt.failure = UniserveException.of(e);
    } catch (IOException e) {
      attempt.failure =
          new UniserveException(
              ErrorCode.UNAVAILABLE, "the log cannot be read: " + e.getMessage(), e);
    } finally {
      lock.lock();
      try {
        running = null;
      } finally {
        lock.unlock();
      }
      attempt.done.set();
    }
  }

  private static void await(Attempt attempt, Deadline deadline) {
    try {
      if (!attempt.done.await(deadline)) {
        throw new UniserveException(
            ErrorCode.DEADLINE_EXCEEDED, "the upload has not ended before the deadline");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted", e);
    }
  }

  private void upload() throws IOException {
    server.owner().require();
    StoredReach now = requireReach();
    long tookAtNanos = server.environment().clock().nanos();
    Optional<List<LogEntry>> entries = log.after(now);
    if (entries.isEmpty()) {
      StoredReach over = checkpoints.leadOver(now);
      confirmOwner();
      advance(over);
      return;
    }
    for (List<LogEntry> run : BackupLog.byEpoch(entries.get())) {
      StoredReach appended = log.append(requireReach(), run);
      confirmOwner();
      advance(appended);
    }
    if (replica.position().equals(requireReach().end()) || entries.get().isEmpty()) {
      levelAtNanos = tookAtNanos;
    }
  }

  /** Makes sure that others go on from what is acknowledged because it is stored. */
  private void confirmOwner() {
    if (durability() == Durability.SYNCHRONOUS) {
      server.owner().confirm();
    }
  }

  /** What is stored only grows, while the replica leads. */
  private void advance(StoredReach next) {
    lock.lock();
    try {
      StoredReach now = reach;
      if (now != null && now.epoch() == next.epoch()) {
        reach = now.merge(next);
      }
    } finally {
      lock.unlock();
    }
  }

  /** What is to be done now and then, whether or not there are updates. */
  void maintain(Deadline deadline) throws IOException {
    if (!(replica.role() instanceof Role.Leading(long epoch))) {
      return;
    }
    if (reach == null || reach.epoch() != epoch) {
      Led since = led;
      if (since.epoch == epoch) {
        reach = takeover.late(epoch, since.from, shape);
      }
      return;
    }
    if (requireReach().based()) {
      flush(deadline);
    }
    if (checkpoints.due(requireReach())) {
      makeCheckpoint(deadline);
    } else {
      log.mergeSmall();
    }
  }

  /**
   * Stores a checkpoint, so that a restore does not have to apply the log before it; first the log
   * up to there, so that restores as of earlier moments find no gap.
   */
  void makeCheckpoint(Deadline deadline) throws IOException {
    server.owner().require();
    boolean goesOn = requireReach().based();
    if (goesOn) {
      flush(deadline);
    }
    Consumer<Position> before = position -> awaitStored(position, deadline);
    advance(checkpoints.make(requireReach(), goesOn ? before : position -> {}));
    server.owner().confirm(); // nobody else reads what is deleted now
    checkpoints.collect(requireReach());
  }

  /** The replica is not led here any more. */
  void forget() {
    server.backups().forget(place());
  }
}
