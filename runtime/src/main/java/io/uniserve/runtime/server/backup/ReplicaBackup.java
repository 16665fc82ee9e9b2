package io.uniserve.runtime.server.backup;

import io.uniserve.api.Durability;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.replica.Role;
import io.uniserve.runtime.server.restore.StoredData;
import io.uniserve.runtime.store.backup.BackupPlace;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backup of one replica's actor in the durable store, while this server leads the actor (DPA
 * §4.3, QAS §4.2). All threads that wait for updates to be stored share one upload of everything
 * that is to be uploaded (group commit).
 */
public final class ReplicaBackup {
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

  /** The position from which this replica leads. */
  private volatile Led led = new Led(0, Position.START);

  /** The table's partitioner at the time from which this replica leads. */
  private volatile Partitioner shape = new Partitioner.Hash(1);

  /** True if the history began anew, and still needs the checkpoint that it begins with. */
  private volatile boolean mended;

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

  public ReplicaBackup(ServerContext server, Replica replica, StoredData stored) {
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

  /** Returns whether the table is backed up at all. */
  public boolean enabled() {
    return durability() != Durability.NONE;
  }

  /**
   * Catches up with the store and takes its history over, before the replica leads an epoch. If the
   * store fails, a table of asynchronous durability is led nevertheless.
   *
   * @throws UniserveException if a table of synchronous durability cannot be led yet
   */
  public void takeOver(long epoch, Partitioner partitioner) throws IOException {
    shape = partitioner;
    if (!enabled() || led.epoch == epoch) {
      return;
    }
    if (waitsForOwner()) {
      throw new OwnerAwaitedException(
          replica.target() + " cannot be led before this server may write to the durable store");
    }
    try {
      StoredReach taken = takeover.catchUp(epoch, partitioner);
      if (durability() == Durability.SYNCHRONOUS && !taken.based()) {
        taken = checkpoints.make(taken, position -> {});
      }
      reach = taken;
    } catch (UniserveException e) {
      boolean held = replica.held(); // not while it is being replaced by what the store has
      if (durability() == Durability.SYNCHRONOUS || !storeFailed(e) || !held) {
        throw e;
      }
      LOG.warn("{} is led although the durable store could not be read", replica.target(), e);
    }
    levelAtNanos = server.environment().clock().nanos();
    led = new Led(epoch, replica.position());
  }

  /**
   * Returns whether it is not yet known if this server may write to the store. A store that does
   * not answer is waited for elsewhere.
   */
  private boolean waitsForOwner() {
    try {
      return server.owner().isWaiting();
    } catch (UniserveException e) {
      return false;
    }
  }

  /**
   * Returns whether a failure is the store's. Damaged data in the store counts as lost; an answer
   * that is missing may come later.
   */
  private static boolean storeFailed(UniserveException e) {
    return e.code() == ErrorCode.UNAVAILABLE
        || e.code() == ErrorCode.EXHAUSTED
        || e.code() == ErrorCode.CORRUPT
        || e.code() == ErrorCode.INVALID_ARGUMENT;
  }

  /**
   * Returns the position up to which the store is known to have the updates; empty if this replica
   * does not lead.
   */
  public Optional<Position> stored() {
    StoredReach now = reach;
    return now != null && leads(now.epoch()) ? Optional.of(now.end()) : Optional.empty();
  }

  private boolean leads(long epoch) {
    return replica.leads(epoch);
  }

  /** Returns how many updates the store lacks. */
  public long entriesBehind() {
    Position known = stored().orElse(led.from);
    return enabled() ? Math.max(0, replica.position().sequence() - known.sequence()) : 0;
  }

  /** Returns for how long the store has lacked updates. */
  public Duration behind() {
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
  public void requireOwner() {
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
   * Waits while the store is too far behind, for tables of asynchronous durability, whose lag is
   * bounded.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE}; nothing was applied
   */
  public void admit(Deadline deadline) {
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
    return entriesBehind() >= server.settings().backups().lagEntriesMax()
        || behind().compareTo(server.settings().backups().lagMax()) > 0;
  }

  /**
   * Waits until an applied update is in the store, if its table is to be acknowledged only then.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE}; the update was applied, and may
   *     survive or not
   */
  public void awaitDurable(Position position, Deadline deadline) {
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
  public void flush(Deadline deadline) {
    awaitStored(replica.position(), deadline);
  }

  /**
   * Stores everything applied so far, with a checkpoint if the store does not have what the log
   * continues from.
   */
  public void storeAll(Deadline deadline) throws IOException {
    if (requireReach().based()) {
      flush(deadline);
    } else {
      makeCheckpoint(deadline);
    }
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
          ErrorCode.UNAVAILABLE,
          replica.target() + " does not know yet what the durable store has");
    }
    return now;
  }

  /** Joins the running attempt; if there is none, the given one becomes the running one. */
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

  /**
   * Makes sure that this server still owns the store, so that later owners continue from what is
   * acknowledged.
   */
  private void confirmOwner() {
    if (durability() == Durability.SYNCHRONOUS) {
      server.owner().confirm();
    }
  }

  /** Advances the known reach of the store, which only grows while the replica leads. */
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

  /** Does the periodic work, whether or not there are updates. */
  public void maintain(Deadline deadline) throws IOException {
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
    if (mended || checkpoints.due(requireReach())) {
      makeCheckpoint(deadline);
    } else {
      log.mergeSmall();
    }
  }

  /**
   * Stores a checkpoint, so that a restore does not have to apply the log before it. The log up to
   * the checkpoint is stored first, so that restores of earlier moments find no gap. If the store
   * lost records of epochs, they are made good first.
   */
  public void makeCheckpoint(Deadline deadline) throws IOException {
    try {
      makeCheckpointOnce(deadline);
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.CORRUPT || !takeover.mend(requireReach())) {
        throw e;
      }
      mended = true;
      makeCheckpointOnce(deadline);
    }
    mended = false;
  }

  private void makeCheckpointOnce(Deadline deadline) throws IOException {
    server.owner().require();
    boolean goesOn = requireReach().based();
    if (goesOn) {
      flush(deadline);
    }
    Consumer<Position> before = position -> awaitStored(position, deadline);
    advance(checkpoints.make(requireReach(), goesOn ? before : position -> {}));
    server.owner().confirm(); // only the primary reads the objects that are deleted now
    checkpoints.collect(requireReach());
  }

  /** Forgets what the store has, since the replica is not led here any more. */
  public void forget() {
    server.backups().forget(place());
  }
}
