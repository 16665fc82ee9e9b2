package io.uniserve.runtime.server.replication;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Transport.Call;
import io.uniserve.runtime.server.backup.EpochTakenException;
import io.uniserve.runtime.server.backup.OwnerAwaitedException;
import io.uniserve.runtime.server.backup.ReplicaBackup;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.checkpoint.DamagedCopyException;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.keys.DamagedKeysException;
import io.uniserve.runtime.server.replica.CopyFailures;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.restore.StoredData;
import io.uniserve.runtime.wire.ControlMessage.CopyReport;
import io.uniserve.runtime.wire.ControlMessage.CopyReport.Outcome;
import io.uniserve.runtime.wire.ReplicationMessage;
import io.uniserve.runtime.wire.ReplicationMessage.Follow;
import io.uniserve.runtime.wire.ReplicationMessage.UnreachedCopy;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The driver of one replica: a thread that brings the replica to the state that cluster state
 * assigns. It obtains the data, then leads, follows or waits. Every step looks at the newest
 * assignment. A change of assignment ends whatever the step waits for.
 */
public final class ReplicaDriver {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaDriver.class);

  private final ServerContext server;
  private final Replica replica;
  private final LongSupplier incarnation;
  private final FollowerProgress followers;
  private final ReplicaSource source;
  private final ReplicaBackup backup;
  private final Retirement retirement;
  private final DamageMending mending;
  private final Seclusion seclusion;
  private final ReentrantLock lock = new ReentrantLock();
  private final Signal ended;
  private final CopyFailures copyFailures = new CopyFailures();
  private Signal changed;
  private volatile Assignment assignment;
  private volatile Promise<Message> following;
  private volatile boolean dropped;
  private volatile Exception trouble;

  /** The time of the newest request that a primary has answered. */
  private volatile Optional<Long> followedAtNanos = Optional.empty();

  /** The refusal of an epoch that this server leads already. */
  private volatile Optional<EpochTakenException> taken = Optional.empty();

  /** The status that a report of this copy has ended, though this server may not know that yet. */
  private volatile Optional<StatusEnded> endedStatus = Optional.empty();

  /**
   * The status of a copy that is to end.
   *
   * @param epoch the epoch in which it was reported
   * @param since the version at which it began
   */
  private record StatusEnded(long epoch, long since) {}

  /** A file that the open replica reads and that was found damaged, until that is handled. */
  private volatile Optional<DamagedKeysException> damagedKeys = Optional.empty();

  /** The replica's position when its engine last failed; only for the driver's thread. */
  private Position brokenAt = new Position(-1, -1);

  /** The epoch in which its engine last failed; only for the driver's thread. */
  private long brokenIn = -1;

  /**
   * @param incarnation returns the server's present life; assignments to a former life are void
   */
  public ReplicaDriver(ServerContext server, Replica replica, LongSupplier incarnation) {
    this.server = server;
    this.replica = replica;
    this.incarnation = incarnation;
    this.followers =
        new FollowerProgress(server.environment(), server.settings().copies().followTimeout());
    StoredData stored = new StoredData(server, replica);
    this.source = new ReplicaSource(server, replica, stored);
    this.backup = new ReplicaBackup(server, replica, stored);
    this.retirement = new Retirement(server, replica, this);
    this.mending = new DamageMending(server, replica, this);
    this.seclusion = new Seclusion(server, replica, this);
    this.changed = server.environment().threads().signal();
    this.ended = server.environment().threads().signal();
  }

  public Replica replica() {
    return replica;
  }

  public FollowerProgress followers() {
    return followers;
  }

  /** Returns the actor's backup in the durable store, kept while this server leads it. */
  public ReplicaBackup backup() {
    return backup;
  }

  /** Returns the failures that keep the copy from its role. */
  public CopyFailures failures() {
    return copyFailures;
  }

  /** Returns the newest assignment. */
  public Assignment assignment() {
    return assignment;
  }

  public void start(Assignment first) {
    replica.reads().due(first.generation());
    assignment = first;
    retirement.assigned(first);
    server.environment().threads().start("driver of " + replica.target(), this::run);
  }

  /** Takes the newest assignment. */
  public void assign(Assignment next) {
    if (!next.equals(assignment)) {
      replica.reads().due(next.generation());
      assignment = next;
      followers.forgetAllBut(next.others());
      followers.forgetOutdated(next);
      wake();
      retirement.assigned(next);
    }
  }

  /**
   * Returns the other copies that may be read: copies that cluster state calls readable, and copies
   * that follow. One of the latter may be called readable before this server hears of it.
   */
  public List<CopyId> copiesToReach() {
    Assignment now = assignment;
    return now.others().stream()
        .filter(copy -> now.readable().contains(copy) || followers.isFollowedBy(copy))
        .toList();
  }

  /** Returns the failure that keeps the replica closed if the server has no room for it. */
  public Optional<UniserveException> noRoom() {
    Exception known = trouble;
    return !replica.held() && EngineFailedException.outOfRoom(known)
        ? Optional.of(new EngineFailedException("opening " + replica.target(), known))
        : Optional.empty();
  }

  /** Returns whether {@link #close} has begun. */
  public boolean dropped() {
    return dropped;
  }

  /** Makes the thread end. */
  public void end() {
    dropped = true;
    wake();
  }

  /**
   * Ends the thread and closes the replica, whose files stay.
   *
   * @param patience the longest time that the thread's present step may take; afterwards the step
   *     opens nothing, but may still use files
   */
  public void close(Duration patience) {
    end();
    try {
      ended.await(Deadline.after(server.environment().clock(), patience));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    replica.close();
    followers.reconsider();
  }

  /**
   * Notes that the outcome of a transaction is known. The copy can now drop records that it had to
   * keep until then.
   */
  public void concluded() {
    try {
      replica.reads().concluded();
    } catch (EngineFailedException e) {
      failed(e); // the outcome is applied all the same
    }
    if (replica.generation() < assignment.generation()) {
      wake();
    }
  }

  /** Notes that engine code failed outside the thread's own steps. */
  public void failed(EngineFailedException failure) {
    trouble = failure;
    copyFailures.add(failure);
    wake();
  }

  /** Notes a failure of what others have asked of the replica; returns it. */
  public UniserveException noted(UniserveException failure) {
    switch (failure) {
      case EngineFailedException broken -> failed(broken);
      case DamagedKeysException damage -> {
        damagedKeys = Optional.of(damage);
        wake();
      }
      default -> {
        // it tells nothing about the copy
      }
    }
    return failure;
  }

  /** Notes that files of the open replica were found damaged. */
  public void damaged(DamagedCopyException damage) {
    mending.found(damage);
  }

  /** Notes what another copy has that asks for updates, even if this one does not lead yet. */
  public void asked(Follow request) {
    if (assignment.others().contains(request.follower())) {
      followers.asked(request.follower(), request.epoch(), request.after());
    }
  }

  /** Notes that the durable store has the epoch that this server leads of another primary. */
  public void taken(EpochTakenException refusal) {
    taken = Optional.of(refusal);
    wake();
  }

  /** Notes that the primary is said not to reach this copy. */
  public void unreached(UnreachedCopy told) {
    seclusion.begin(told);
  }

  /**
   * Returns whether a primary has answered a request made since a moment, so that it is known to
   * live and lead.
   */
  boolean followedSince(long nanos) {
    return followedAtNanos.filter(asked -> asked - nanos >= 0).isPresent();
  }

  /** Makes the thread check again what it has to do. */
  public void wake() {
    Signal wake;
    lock.lock();
    try {
      wake = changed;
      changed = server.environment().threads().signal();
    } finally {
      lock.unlock();
    }
    wake.set();
    followers.reconsider();
    Promise<Message> call = following;
    if (call != null) {
      call.fail(new UniserveException(ErrorCode.CANCELLED, "the assignment has changed"));
    }
    source.reconsider();
  }

  private void run() {
    try {
      int failures = 0;
      while (!dropped) {
        Signal change = nextChange();
        try {
          step(assignment, change);
          failures = 0;
        } catch (OwnerAwaitedException e) {
          LOG.debug("{}", e.getMessage());
          change.await(Deadline.after(clock(), server.settings().copies().retryDelay()));
        } catch (IOException | RuntimeException e) {
          trouble = e;
          copyFailures.add(e);
          failures = passing(e) ? 0 : failures + 1;
          tellIfNoRoom(assignment, e);
          if (e instanceof DamagedCopyException damage && replica.held()) {
            mending.found(damage);
          }
          Duration pause =
              server.settings().copies().retryDelay().multipliedBy(1L << Math.min(failures, 5));
          change.await(Deadline.after(clock(), pause));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended.set();
    }
  }

  /**
   * Returns whether a failure is passing: the step was ended, or waits for another server's step.
   */
  private boolean passing(Exception failure) {
    boolean passing =
        failure instanceof UniserveException known
            && (known.retryable() || known.code() == ErrorCode.CANCELLED)
            && known.code() != ErrorCode.EXHAUSTED;
    if (passing) {
      LOG.debug("{}: {}", replica.target(), failure.getMessage());
    } else {
      server.failures().warn(LOG, replica.target() + ": a step failed and is tried again", failure);
    }
    return passing;
  }

  /**
   * Reports that this server has no room for a copy that is moved here, so that the move can be
   * given up.
   */
  private void tellIfNoRoom(Assignment now, Exception failure) {
    boolean unfinished = now.isMovedHere() && now.copy().status() == Status.LOADING;
    if (unfinished && EngineFailedException.outOfRoom(failure)) {
      try {
        report(now, Outcome.NO_ROOM, String.valueOf(failure.getMessage()));
      } catch (UniserveException e) {
        LOG.debug("{}: {}", replica.target(), e.getMessage());
      }
    }
  }

  private Signal nextChange() {
    lock.lock();
    try {
      return changed;
    } finally {
      lock.unlock();
    }
  }

  private void step(Assignment now, Signal change) throws IOException, InterruptedException {
    if (!current(now)) {
      change.await(Deadline.after(clock(), server.settings().copies().retryDelay()));
      return;
    }
    Optional<DamagedKeysException> damage = damagedKeys;
    if (damage.isPresent() && replica.held()) {
      damagedKeys = Optional.empty();
      mending.foundInUse(damage.get());
    }
    if (replica.foundBroken()) {
      mend(now);
    }
    if (!replica.held() && !obtained(now)) {
      change.await(
          Deadline.after(clock(), server.settings().copies().retryDelay().multipliedBy(5)));
      return;
    }
    if (now.isAsBorn(replica.position())) {
      replica
          .reads()
          .caughtUp(() -> current(now) && !dropped && !seclusion.lasts() && knowsItsStatus());
    }
    if (now.leads(server.name())) {
      lead(now, change);
    } else if (now.primary().isPresent()) {
      follow(now);
    } else {
      awaitPrimary(now, change);
    }
  }

  private boolean obtained(Assignment now) throws IOException {
    switch (source.obtain(now, () -> fetchable(now))) {
      case HELD -> {
        return true;
      }
      case NOWHERE -> unready(now, source.absence());
      case ABSENT -> report(now, Outcome.ABSENT, "the server's disk has no copy of it");
      case DAMAGED -> report(now, Outcome.DAMAGED, source.absence());
    }
    return false;
  }

  /**
   * Opens a broken copy again. A copy that breaks twice at the same position is fetched from the
   * primary instead, if there is one.
   */
  private void mend(Assignment now) throws IOException {
    Position at = replica.position();
    boolean again = at.equals(brokenAt);
    brokenAt = at;
    brokenIn = now.actor().epoch();
    tellUnready(
        now,
        "engine code failed; the copy is opened again"
            + copyFailures.last().map(failure -> ": " + failure.message()).orElse(""));
    replica.reset();
    if (again && now.primary().isPresent()) {
      source.fetch(now, () -> fetchable(now));
    }
  }

  private boolean fetchable(Assignment then) {
    return !dropped && assignment.hasSourceOf(then);
  }

  /** Reports a copy that counts as readable and is not, so that nobody relies on it. */
  private void unready(Assignment now, String why) {
    if (now.copy().status() != Status.LOADING) {
      tellUnready(now, why);
    }
  }

  /**
   * Reports that the copy is not readable. Once the primary hears that, it waits for it no more, so
   * the copy must not become readable before it has heard it, too.
   */
  private void tellUnready(Assignment now, String why) {
    report(now, Outcome.UNREADY, why);
    if (now.copy().status() != Status.LOADING) {
      endedStatus = Optional.of(new StatusEnded(now.actor().epoch(), now.copy().statusSince()));
    }
  }

  /** Returns whether this server has heard of the end of a status that it has reported. */
  private boolean knowsItsStatus() {
    Assignment now = assignment;
    return endedStatus
        .filter(status -> status.epoch() == now.actor().epoch())
        .filter(status -> status.since() == now.copy().statusSince())
        .isEmpty();
  }

  /**
   * Returns whether an assignment is for this life of the server. One for a former life is void.
   */
  private boolean current(Assignment now) {
    return now.incarnation() == incarnation.getAsLong();
  }

  private void lead(Assignment now, Signal change) throws IOException, InterruptedException {
    if (now.copy().status() == Status.LOADING) {
      awaitPrimary(now, change);
      return;
    }
    if (brokenIn == now.actor().epoch() && replica.position().compareTo(brokenAt) < 0) {
      // It would give positions again that it has given before, and that others may have.
      giveUpEpoch(
          now,
          replica.target()
              + " was opened again without its last updates; before, it was at "
              + brokenAt);
    }
    // The new primary still follows the former one, which would keep it from applying anything
    // else.
    replica.seal(now.actor().epoch());
    followers.reconsider();
    takeStoreOver(now);
    if (!replica.lead(now.actor().epoch(), () -> current(now) && !dropped)) {
      unready(now, "promised to follow a later epoch than " + now.actor().epoch());
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, "may not lead epoch " + now.actor().epoch());
    }
    if (replica.retain(now.partitioner())) {
      followers.changed();
    }
    if (now.copy().status() == Status.EMPTY) {
      report(now, Outcome.READY, "made empty");
    }
    copyFailures.over();
    awaitBroken(now, change);
  }

  /**
   * Takes over what the durable store has, before this replica leads. If that is damaged, and
   * another copy has more than this one, that copy may lead without it. If it has this epoch of
   * another primary, a later one has to be begun.
   */
  private void takeStoreOver(Assignment now) throws IOException {
    taken
        .filter(refusal -> refusal.epoch() == now.actor().epoch())
        .ifPresent(refusal -> giveUpEpoch(now, refusal.getMessage()));
    try {
      backup.takeOver(now.actor().epoch(), now.partitioner());
    } catch (EpochTakenException e) {
      giveUpEpoch(now, e.getMessage());
    } catch (UniserveException e) {
      if (e.code() == ErrorCode.CORRUPT) {
        followers
            .moreAdvanced(now.actor().epoch(), replica.position())
            .ifPresent(
                copy ->
                    unready(
                        now,
                        "server "
                            + copy.server()
                            + " has more, and the durable store is damaged: "
                            + e.getMessage()));
      }
      throw e;
    }
  }

  /** Gives up the lead, so that a later epoch is begun. */
  private void giveUpEpoch(Assignment now, String why) {
    replica.seal(now.actor().epoch() + 1);
    report(now, Outcome.SEALED, why);
    throw new UniserveException(ErrorCode.UNAVAILABLE, why);
  }

  /**
   * Waits as the primary for a change of assignment. If its engine fails meanwhile, the copy must
   * be opened again.
   */
  private void awaitBroken(Assignment now, Signal change) throws IOException, InterruptedException {
    boolean over = false;
    while (!over && now.equals(assignment) && !replica.foundBroken()) {
      replica.checkpoints().settle();
      replica.checkpoints().makeIfDue(server.settings().checkpointBytes());
      boolean unconfirmed = now.copy().status() != Status.READY;
      Duration pause =
          unconfirmed
              ? server.settings().copies().retryDelay()
              : server.settings().copies().followTimeout();
      over = change.await(Deadline.after(clock(), pause)) || unconfirmed;
      if (!over && !replica.leads(now.actor().epoch())) {
        report(now, Outcome.SEALED, "promised to follow a later epoch, which has not begun");
      }
    }
  }

  private void awaitPrimary(Assignment now, Signal change)
      throws IOException, InterruptedException {
    if (now.copy().status() == Status.LOADING) {
      // It may be made primary, and copies that a disk has be removed for it.
      replica.checkpoints().settle();
      replica.forceAll();
      report(now, Outcome.HOLDING, "at " + replica.position());
    }
    change.await(Deadline.after(clock(), server.settings().copies().followTimeout()));
  }

  private void follow(Assignment now) throws IOException {
    if (!replica.follow(now.actor().epoch(), () -> current(now))) {
      report(now, Outcome.SEALED, "promised to follow a later epoch");
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, "may not follow epoch " + now.actor().epoch());
    }
    followers.reconsider();
    boolean level = false;
    while (now.equals(assignment) && !dropped && !replica.foundBroken()) {
      replica.forcePromised();
      Position position = replica.position();
      Follow request =
          new Follow(
              replica.target().id(),
              now.actor().epoch(),
              position,
              now.copy().id(),
              now.copy().statusSince(),
              level);
      long askedAtNanos = clock().nanos();
      switch (ask(now.primary().orElseThrow(), request)) {
        case ReplicationMessage.Entries entries -> {
          followedAtNanos = Optional.of(askedAtNanos);
          replica.applyReplicated(now.actor().epoch(), entries.entries());
          replica.checkpoints().settle();
          replica.checkpoints().makeIfDue(server.settings().checkpointBytes());
          level = replica.position().equals(entries.end());
          if (level) {
            caughtUp(now);
          }
        }
        case ReplicationMessage.Reload reload -> {
          LOG.info("{} loads a checkpoint: {}", replica.target(), reload.why());
          source.fetch(now, () -> fetchable(now));
          return;
        }
        default ->
            throw new UniserveException(ErrorCode.INTERNAL, "an unexpected answer from a primary");
      }
    }
  }

  private void caughtUp(Assignment now) throws IOException {
    copyFailures.over();
    boolean readable =
        replica
            .reads()
            .caughtUp(
                () ->
                    current(now)
                        && assignment.copy().status() != Status.RETIRING
                        && !dropped
                        && !seclusion.lasts()
                        && knowsItsStatus());
    Status known = now.copy().status();
    if (readable && (known == Status.LOADING || known == Status.EMPTY)) {
      // Another copy may be removed for it. What that had on disk must not be in memory only.
      replica.forceAll();
      report(now, Outcome.READY, "level with the primary at " + replica.position());
    }
  }

  private Message ask(Address primary, Follow request) {
    Promise<Message> promise = new Promise<>(server.environment().threads());
    following = promise;
    Deadline deadline =
        Deadline.after(clock(), server.settings().copies().followTimeout().multipliedBy(2));
    Call call =
        server.environment().transport().call(primary, request, deadline, new OneAnswer(promise));
    try {
      return promise.await(deadline, "updates from " + primary);
    } finally {
      following = null;
      call.cancel();
    }
  }

  private void report(Assignment now, Outcome outcome, String detail) {
    server.report(
        new CopyReport(
            replica.target().id(),
            now.copy(),
            now.incarnation(),
            now.actor().epoch(),
            outcome,
            detail));
  }

  private Clock clock() {
    return server.environment().clock();
  }
}
