package io.uniserve.runtime.server.update;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.keys.DamagedKeysException;
import io.uniserve.runtime.server.membership.Membership;
import io.uniserve.runtime.server.replica.ShortBatch;
import io.uniserve.runtime.server.replica.ShortBatch.Taken;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.wire.OrderedMessage.AskMark;
import io.uniserve.runtime.wire.OrderedMessage.ShortTaken;
import io.uniserve.runtime.wire.OrderedMessage.Stamped;
import io.uniserve.runtime.wire.OrderedMessage.SubmitShort;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import io.uniserve.runtime.wire.entry.Refusal;
import io.uniserve.runtime.wire.subscription.SharedMarks;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The updates of ordered tables that come to a primary the short way, past the order (RB §6.6).
 * They are answered once they are firm, with the newest item of the order that their actor's log
 * has. An actor that lacks an item which comes before them asks the controllers for a mark. It does
 * so in each epoch before the first of them, too: what a former primary has logged last may be
 * lost, and a read may have seen it. Each message has a light thread of its own.
 */
public final class ShortWay {
  /** The time after which a mark that has not come is asked for again. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ServerContext server;
  private final Membership membership;
  private final Function<ActorId, Optional<ReplicaDriver>> drivers;
  private final FirmUpdates firm;
  private final SharedMarks marks;
  private final AtomicInteger underWay = new AtomicInteger();

  public ShortWay(
      ServerContext server,
      Membership membership,
      Function<ActorId, Optional<ReplicaDriver>> drivers,
      FirmUpdates firm) {
    this.server = server;
    this.membership = membership;
    this.drivers = drivers;
    this.firm = firm;
    this.marks = new SharedMarks(server.environment());
  }

  public void handle(SubmitShort request, Incoming call) {
    int most = SubmitShort.UPDATES_MAX;
    if (request.updates().isEmpty() || request.updates().size() > most) {
      call.fail(
          UniserveException.invalid(
              request.updates().size() + " updates on the short way at once, 1 to " + most));
      return;
    }
    if (underWay.incrementAndGet() > server.settings().work().updatesWaitingMax()) {
      underWay.decrementAndGet();
      call.fail(
          new UniserveException(
              ErrorCode.OVERLOADED, "server " + server.name() + " has too many updates waiting"));
      return;
    }
    server.environment().threads().start("short way", () -> run(request, call));
  }

  private void run(SubmitShort request, Incoming call) {
    try {
      call.reply(take(request, driver(request.actor()), call.deadline()));
      call.complete();
    } catch (RuntimeException e) {
      call.fail(UniserveException.of(e));
    } finally {
      underWay.decrementAndGet();
    }
  }

  private ShortTaken take(SubmitShort request, ReplicaDriver driver, Deadline deadline) {
    driver.backup().requireOwner();
    EpochCheck check = EpochCheck.begin(membership, driver);
    driver.backup().admit(deadline);
    long epoch = check.epoch();
    Mark sight = reached(request, driver, epoch, deadline);
    Taken taken =
        take(
            driver,
            new ShortBatch(
                epoch,
                request.generation(),
                driver.assignment().partitioner(),
                sight,
                request.updates()));
    firm.await(driver, check::copiesToReach, taken.position(), deadline);
    check.end();
    driver.replica().firm(taken.position());
    taken.failure().filter(why -> taken.results().isEmpty()).ifPresent(ShortWay::fail);
    return new ShortTaken(
        taken.results(),
        taken.reach(),
        taken.failure().map(why -> new Refusal(why.code(), why.getMessage())));
  }

  private static void fail(UniserveException why) {
    throw why;
  }

  private static Taken take(ReplicaDriver driver, ShortBatch batch) {
    try {
      return driver.replica().take(batch);
    } catch (EngineFailedException | DamagedKeysException e) {
      throw driver.noted(e);
    } catch (UniserveException e) {
      throw e.code() == ErrorCode.STALE_ROUTING ? driver.noRoom().orElse(e) : e;
    }
  }

  /**
   * Waits until the actor's log has what comes before the updates of a request: all that their
   * session has heard of, and all at which anybody may have read the actor in former epochs.
   *
   * @return an item of the order that the log has, and that comes after these
   */
  private Mark reached(SubmitShort request, ReplicaDriver driver, long epoch, Deadline deadline) {
    boolean anew = request.sight().isEmpty() || !driver.replica().isMarkedIn(epoch);
    Mark sight = request.sight().orElse(Mark.NONE);
    if (!anew && has(driver, sight)) {
      return sight;
    }
    while (true) {
      Mark mark = ask(request.actor(), deadline);
      if (await(driver, mark, deadline)) {
        driver.replica().markedIn(epoch, mark);
        return mark.compareTo(sight) >= 0 ? mark : sight;
      }
      deadline.check(
          server.environment().clock(),
          driver.replica().target() + " waits for a mark of its place in the order");
      check(driver, epoch);
    }
  }

  private static boolean has(ReplicaDriver driver, Mark item) {
    return driver.replica().reach().filter(reach -> reach.compareTo(item) >= 0).isPresent();
  }

  private static void check(ReplicaDriver driver, long epoch) {
    if (!driver.replica().leads(epoch)) {
      throw new UniserveException(
          ErrorCode.STALE_ROUTING,
          driver.replica().target() + " is not led by this server any more");
    }
  }

  private Mark ask(ActorId actor, Deadline deadline) {
    return marks.mark(
        actor.table(),
        List.of(actor.number()),
        deadline,
        actors -> question(actor.table(), actors, deadline));
  }

  private Mark question(long table, Collection<Integer> actors, Deadline deadline) {
    AskMark request = new AskMark(table, List.copyOf(actors));
    return server.controllers().ask(request, Stamped.class, deadline).mark();
  }

  private boolean await(ReplicaDriver driver, Mark mark, Deadline deadline) {
    Deadline patience = Deadline.after(server.environment().clock(), PATIENCE).earlier(deadline);
    try {
      return driver.replica().awaitReach(mark, patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "a wait for a mark: interrupted", e);
    }
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
