package io.uniserve.runtime.server.base;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.store.backup.Owners;
import io.uniserve.runtime.store.backup.Owners.Owner;
import io.uniserve.runtime.store.backup.Owners.Seen;
import io.uniserve.runtime.wire.cluster.ClusterState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This server's right to write to the durable store in the name of its cluster. If a cluster's
 * directories were copied and started elsewhere, there are two clusters of one name. Only one of
 * them may write.
 *
 * <p>Each time that a controller begins to decide, the control log gets a new name, which a copy of
 * the log does not have. The store has the names under which the cluster wrote. They are numbered,
 * and no number is given twice. A server writes
 *
 * <ul>
 *   <li>while the last name in the store is the last in its control log,
 *   <li>or while it is an earlier one of the control log, if this life of the server has already
 *       written in that name. So a new controller does not interrupt it.
 * </ul>
 *
 * <p>A server that has written under the last name stores the next at once. Any other server, as
 * after the start of a whole cluster, announces the name first and waits for objections. A server
 * that writes objects to names that its control log does not have. So a copy started beside the
 * original is refused. A copy started when the original is gone, or seems to be, is not. If the
 * original was only slow, it finds a foreign name after its own, and stops writing and
 * acknowledging. What it stored before it looked, the copy has read.
 */
public final class StoreOwner {
  private static final Logger LOG = LoggerFactory.getLogger(StoreOwner.class);

  /**
   * The time that an announced name waits for objections. It is at least three times as long as a
   * look takes.
   */
  private static final Duration OBJECTION_TIME = Duration.ofSeconds(3);

  /** The time between two looks of a server that waits. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  /** The rights of this server. */
  private sealed interface Standing {
    /**
     * The server writes.
     *
     * @param cluster the cluster in whose name it owns the store
     * @param number the number of the last owner
     */
    record Acting(String cluster, long number) implements Standing {}

    /**
     * The server waits for a moment.
     *
     * @param why the reason
     */
    record Waiting(String why) implements Standing {}

    /**
     * The server writes nothing.
     *
     * @param why the reason, which names both owners
     */
    record Refused(String why) implements Standing {}
  }

  private final Environment environment;
  private final Owners owners;
  private final Supplier<ClusterState> state;
  private final BooleanSupplier inTouch;
  private final Runnable catchUp;
  private final String server;
  private final String life;
  private final ReentrantLock looking = new ReentrantLock();
  private volatile Standing standing =
      new Standing.Waiting("this server has not read its owner yet");
  private Optional<String> appeared = Optional.empty();
  private String announced = "";
  private long announcedAtNanos;
  private boolean hasLooked;
  private boolean closed;
  private long lookedAtNanos;

  /**
   * @param server its name and address
   * @param state returns the newest cluster state that has reached it
   * @param inTouch tells whether that state is no older than this life, and a controller that
   *     decides has heard of the server a moment ago
   * @param catchUp waits until the state has everything that was decided before; fails if no
   *     controller that decides says what that is
   */
  public StoreOwner(
      Environment environment,
      String server,
      Owners owners,
      Supplier<ClusterState> state,
      BooleanSupplier inTouch,
      Runnable catchUp) {
    this.environment = environment;
    this.server = server;
    this.owners = owners;
    this.state = state;
    this.inTouch = inTouch;
    this.catchUp = catchUp;
    this.life = Long.toHexString(environment.random().nextLong());
  }

  /** Returns the unique name of this life of the server. */
  public String life() {
    return server + ", life " + life;
  }

  /**
   * Returns why this server writes nothing; empty unless another owner is found where its own
   * should be.
   */
  public Optional<String> refusal() {
    return standing instanceof Standing.Refused refused
        ? Optional.of(refused.why())
        : Optional.empty();
  }

  /**
   * Checks that this server may write, as of the last look.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE}, also if the store does not answer
   */
  public void require() {
    lookIfWaiting();
    requireActing();
  }

  /** Looks at the store if this server waits. Of many threads that wait, one asks the store. */
  private void lookIfWaiting() {
    if (!(standing instanceof Standing.Waiting)) {
      return;
    }
    looking.lock();
    try {
      long nowNanos = environment.clock().nanos();
      if (standing instanceof Standing.Waiting
          && (!hasLooked || nowNanos - lookedAtNanos >= LOOK_AGAIN.toNanos())) {
        look();
      }
    } finally {
      looking.unlock();
    }
  }

  /**
   * Checks, after something was stored, that nobody had taken over before. A server that takes over
   * later has read what was stored.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE}
   */
  public void confirm() {
    require();
    Standing before = standing;
    if (before instanceof Standing.Acting(String cluster, long number)
        && owners.isTaken(cluster, number + 1)) {
      look();
      if (standing.equals(before)) {
        throw unavailable(
            "it has a new owner " + (number + 1) + ", and no controller knows whose name that is");
      }
    }
    requireActing();
  }

  private void requireActing() {
    switch (standing) {
      case Standing.Acting acting -> {}
      case Standing.Waiting waiting -> throw unavailable(waiting.why());
      case Standing.Refused refused -> throw unavailable(refused.why());
    }
  }

  private static UniserveException unavailable(String why) {
    return new UniserveException(ErrorCode.UNAVAILABLE, "the durable store: " + why);
  }

  /** Tells whether this server may write, as of the last look. */
  public boolean acts() {
    return standing instanceof Standing.Acting;
  }

  /** Tells whether it will soon be known if this server may write. */
  public boolean isWaiting() {
    lookIfWaiting();
    return standing instanceof Standing.Waiting;
  }

  /**
   * Looks at the store, takes it over if it is time, and objects to others who want to. To be
   * called about every second. Once this server has ended its use of the store, it does nothing: it
   * would record again that the server writes.
   *
   * @throws UniserveException if the store does not answer, or no controller knows whose a name is
   */
  public void look() {
    looking.lock();
    try {
      if (closed) {
        return;
      }
      hasLooked = true;
      lookedAtNanos = environment.clock().nanos();
      Standing next = next();
      if (!next.equals(standing)) {
        tell(next);
        standing = next;
      }
      if (next instanceof Standing.Acting(String cluster, long number) && appeared.isEmpty()) {
        owners.appear(cluster, life);
        appeared = Optional.of(cluster);
      }
    } finally {
      looking.unlock();
    }
  }

  private void tell(Standing next) {
    switch (next) {
      case Standing.Acting(String cluster, long number) ->
          LOG.info("{} writes to the durable store as its owner {}", life(), number);
      case Standing.Waiting waiting -> LOG.debug("{}: {}", life(), waiting.why());
      case Standing.Refused refused ->
          LOG.error("{} writes nothing to the durable store: {}", life(), refused.why());
    }
  }

  private Standing next() {
    ClusterState now = state.get();
    if (now.cluster().isEmpty() || now.owners().isEmpty() || !inTouch.getAsBoolean()) {
      // A server that writes continues. Without a lease it acknowledges nothing.
      return standing instanceof Standing.Acting ? standing : new Standing.Waiting("no controller");
    }
    String own = now.owners().getLast();
    Seen seen = owners.look(now.cluster());
    if (!seen.present().contains(life)) {
      appeared = Optional.empty();
    }
    if (acts()) {
      objectToOthers(now.cluster(), seen);
    }
    if (seen.newest() == 0) {
      return take(now.cluster(), 1, own);
    }
    Owner newest = owners.read(now.cluster(), seen.newest());
    if (newest.owner().equals(own)) {
      return new Standing.Acting(now.cluster(), seen.newest());
    }
    return knows(newest.owner())
        ? succeed(now.cluster(), seen, own)
        : new Standing.Refused(
            "cluster "
                + now.cluster()
                + " has another owner there, '"
                + newest.owner()
                + "' of "
                + newest.by()
                + " since "
                + Instant.ofEpochMilli(newest.sinceMillis())
                + ", while this is '"
                + own
                + "' of "
                + life()
                + ": a copy of the same directories is in use elsewhere");
  }

  /** Succeeds the last owner in the store, which is a former one of this cluster. */
  private Standing succeed(String cluster, Seen seen, String own) {
    if (acts() || seen.present().isEmpty()) {
      return take(cluster, seen.newest() + 1, own); // nobody else may object
    }
    if (seen.objections().contains(own)) {
      Owner objection = owners.objection(cluster, own);
      return new Standing.Refused(
          "'"
              + objection.owner()
              + "' of "
              + objection.by()
              + " still writes there for cluster "
              + cluster
              + ", and refuses '"
              + own
              + "' of "
              + life()
              + ": this is a copy of directories that are in use elsewhere");
    }
    if (waitedFor(own)) {
      seen.present().forEach(gone -> owners.disappear(cluster, gone));
      return take(cluster, seen.newest() + 1, own);
    }
    if (!announced.equals(own)) {
      owners.claim(cluster, owner(own));
      announced = own;
      announcedAtNanos = environment.clock().nanos();
    }
    return new Standing.Waiting("this server waits for an objection of its former owner");
  }

  private boolean waitedFor(String own) {
    return announced.equals(own)
        && environment.clock().nanos() - announcedAtNanos >= OBJECTION_TIME.toNanos();
  }

  /** Takes the store over. A server that is too late looks again soon. */
  private Standing take(String cluster, long number, String own) {
    if (owners.take(cluster, number, owner(own))) {
      return new Standing.Acting(cluster, number);
    }
    return acts() ? standing : new Standing.Waiting("another server has just taken it over");
  }

  private void objectToOthers(String cluster, Seen seen) {
    for (String claim : seen.claims()) {
      if (!seen.objections().contains(claim) && isForeign(claim)) {
        owners.object(cluster, claim, owner(state.get().owners().getLast()));
        LOG.error("{} objects to another owner of the durable store, '{}'", life(), claim);
      }
    }
  }

  /**
   * Returns whether a name is certainly another cluster's. An objection cannot be taken back, so a
   * server that does not know what its controllers have decided does not object.
   */
  private boolean isForeign(String owner) {
    try {
      return !knows(owner);
    } catch (UniserveException e) {
      LOG.debug("{} does not know yet which cluster owner name '{}' belongs to", life(), owner, e);
      return false;
    }
  }

  /**
   * Returns whether a name is this cluster's, including one that a controller has only just drawn.
   *
   * @throws UniserveException if it is unknown, and no controller that decides can say
   */
  private boolean knows(String owner) {
    if (!state.get().owners().contains(owner)) {
      catchUp.run();
    }
    return state.get().owners().contains(owner);
  }

  private Owner owner(String name) {
    return new Owner(name, life(), environment.clock().now().toEpochMilli());
  }

  /** Ends this server's use of the store, so that the next owner need not wait. */
  public void close() {
    looking.lock();
    try {
      closed = true;
      appeared.ifPresent(this::disappear);
    } finally {
      looking.unlock();
    }
  }

  private void disappear(String cluster) {
    try {
      owners.disappear(cluster, life);
    } catch (UniserveException e) {
      LOG.warn("{} cannot record in the durable store that it ends", life(), e);
    }
  }
}
