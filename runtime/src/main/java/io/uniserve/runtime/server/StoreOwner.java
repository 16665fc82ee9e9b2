package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.store.Owners;
import io.uniserve.runtime.store.Owners.Owner;
import io.uniserve.runtime.store.Owners.Seen;
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
 * This server's right to write to the durable store in the name of its cluster. A cluster whose
 * directories were copied and started elsewhere is two, of one name: only one of them may.
 *
 * <p>Each time that a router begins to decide, the control log gets a new name, which a copy of it
 * does not have. The store has the names under which the cluster wrote, numbered, each put where
 * there is none yet. A server writes
 *
 * <ul>
 *   <li>while the last of them is the last of its control log,
 *   <li>or an earlier one of it, if this life of the server has already written in that name: a new
 *       router does not interrupt it.
 * </ul>
 *
 * <p>Who has written under the last name puts the next at once. Anybody else, as after the start of
 * a whole cluster, announces it first, and waits whether somebody objects. A server that writes
 * objects to names that its control log does not have. So whoever starts a copy beside the original
 * is refused, and whoever starts it when the original is gone, or so it seems, is not. If the
 * original was only slow, it finds a name that its control log does not have after its own, and
 * writes and acknowledges no more: what it stored before it looked was stored before the other read
 * it.
 */
final class StoreOwner {
  private static final Logger LOG = LoggerFactory.getLogger(StoreOwner.class);

  /** How long an announced name waits for objections, at least thrice as long as a look takes. */
  private static final Duration OBJECTION_TIME = Duration.ofSeconds(3);

  /** How often those who wait ask anew. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  /** The rights of this server. */
  private sealed interface Standing {
    /**
     * Write.
     *
     * @param cluster in whose name
     * @param number the last owner
     */
    record Acting(String cluster, long number) implements Standing {}

    /**
     * Wait for a moment.
     *
     * @param why what for
     */
    record Waiting(String why) implements Standing {}

    /**
     * Nothing.
     *
     * @param why names both
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
  private volatile Standing standing = new Standing.Waiting("has not looked at it yet");
  private Optional<String> appeared = Optional.empty();
  private String announced = "";
  private long announcedAtNanos;
  private boolean hasLooked;
  private long lookedAtNanos;

  /**
   * @param server its name and where it listens
   * @param state the newest cluster state that has reached it
   * @param inTouch whether that is no older than this life, and a router that decides has heard of
   *     the server a moment ago
   * @param catchUp waits until the state has all that was decided before; fails if no router that
   *     decides says what that is
   */
  StoreOwner(
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

  /** This life of the server, as nobody else is called. */
  String life() {
    return server + ", life " + life;
  }

  /** Why this server writes nothing, if another owner is found where its own should be. */
  Optional<String> refusal() {
    return standing instanceof Standing.Refused refused
        ? Optional.of(refused.why())
        : Optional.empty();
  }

  /**
   * Checks that this server may write, as of the last look.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE}, also if the store does not answer
   */
  void require() {
    lookIfWaiting();
    requireActing();
  }

  /** Many may wait at once: they do not all ask the store. */
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
   * Checks, after something was stored, that it was stored before anybody else took over: who did
   * so later has read it.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE}
   */
  void confirm() {
    require();
    Standing before = standing;
    if (before instanceof Standing.Acting(String cluster, long number)
        && owners.isTaken(cluster, number + 1)) {
      look();
      if (standing.equals(before)) {
        throw unavailable("there is an owner " + (number + 1) + ", and no router says who it is");
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
  boolean acts() {
    return standing instanceof Standing.Acting;
  }

  /** Tells whether it will soon be known if this server may write. */
  boolean isWaiting() {
    lookIfWaiting();
    return standing instanceof Standing.Waiting;
  }

  /**
   * Looks at the store, takes it over if it is time, and objects to others who want to. To be
   * called every second or so.
   *
   * @throws UniserveException if the store does not answer, or no router says whose a name is
   */
  void look() {
    looking.lock();
    try {
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
      // What it may do it goes on with: without a lease it acknowledges nothing.
      return standing instanceof Standing.Acting ? standing : new Standing.Waiting("no router");
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

  /** The last owner is a former one of this cluster. */
  private Standing succeed(String cluster, Seen seen, String own) {
    if (acts() || seen.present().isEmpty()) {
      return take(cluster, seen.newest() + 1, own); // nobody else has a right to object, or can
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
    return new Standing.Waiting("waits whether its former owner is still there");
  }

  private boolean waitedFor(String own) {
    return announced.equals(own)
        && environment.clock().nanos() - announcedAtNanos >= OBJECTION_TIME.toNanos();
  }

  /** Whoever comes second looks again, soon. */
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
   * Tells whether a name is certainly another cluster's. An objection cannot be taken back, so
   * nobody objects who does not know what his routers have decided.
   */
  private boolean isForeign(String owner) {
    try {
      return !knows(owner);
    } catch (UniserveException e) {
      LOG.debug("{} does not know yet whose name '{}' is", life(), owner, e);
      return false;
    }
  }

  /**
   * Tells whether a name is this cluster's, be it one that a router has only just drawn.
   *
   * @throws UniserveException if it is unknown, and no router that decides says what there is
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

  /** The server ends in order: whoever comes next need not wait. */
  void close() {
    appeared.ifPresent(
        cluster -> {
          try {
            owners.disappear(cluster, life);
          } catch (UniserveException e) {
            LOG.warn("{} cannot tell the durable store that it ends", life(), e);
          }
        });
  }
}
