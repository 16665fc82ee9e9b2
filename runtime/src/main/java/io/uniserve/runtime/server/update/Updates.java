package io.uniserve.runtime.server.update;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.keys.AppliedKey;
import io.uniserve.runtime.server.keys.DamagedKeysException;
import io.uniserve.runtime.server.membership.Membership;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.wire.UpdateMessage.Update;
import io.uniserve.runtime.wire.UpdateMessage.Updated;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The updates that this server decides alone, as a primary (DPA §4.2): eventual ones, and
 * serializable ones of one actor, each on a light thread of its own.
 */
public final class Updates {

  private final ServerContext server;
  private final Membership membership;
  private final FirmUpdates firm;
  private final AtomicInteger underWay = new AtomicInteger();

  public Updates(ServerContext server, Membership membership, FirmUpdates firm) {
    this.server = server;
    this.membership = membership;
    this.firm = firm;
  }

  public void handle(Update request, Optional<ReplicaDriver> driver, Incoming call) {
    if (underWay.incrementAndGet() > server.settings().work().updatesWaitingMax()) {
      underWay.decrementAndGet();
      call.fail(
          new UniserveException(
              ErrorCode.OVERLOADED, "server " + server.name() + " has too many updates waiting"));
      return;
    }
    server.environment().threads().start("update", () -> run(request, driver, call));
  }

  private void run(Update request, Optional<ReplicaDriver> driver, Incoming call) {
    try {
      call.deadline().check(server.environment().clock(), "update of actor " + request.actor());
      AppliedKey applied = apply(request, driver.orElseThrow(() -> elsewhere(request)), call);
      call.reply(new Updated(applied.position(), applied.answers()));
      call.complete();
    } catch (RuntimeException e) {
      call.fail(UniserveException.of(e));
    } finally {
      underWay.decrementAndGet();
    }
  }

  private AppliedKey apply(Update request, ReplicaDriver driver, Incoming call) {
    driver.backup().requireOwner();
    EpochCheck check = EpochCheck.begin(membership, driver);
    driver.backup().admit(call.deadline());
    if (driver.replica().target().definition().consistency().transactional()) {
      return applyFirmly(request, driver, check, call.deadline());
    }
    AppliedKey applied = update(request, driver);
    driver.followers().changed();
    driver.backup().awaitDurable(applied.position(), call.deadline());
    if (request.allCopies()) {
      driver.followers().await(check::copiesToReach, applied.position(), call.deadline());
    }
    check.end();
    return applied;
  }

  /**
   * Applies a serializable update of one actor. It needs no decision of the coordinator's: it is
   * answered, and what it changed is shown, once it is firm.
   */
  private AppliedKey applyFirmly(
      Update request, ReplicaDriver driver, EpochCheck check, Deadline deadline) {
    AppliedKey applied =
        firm.told(
            driver,
            check::copiesToReach,
            deadline,
            () ->
                firm.whenFree(
                    driver,
                    server.settings().copies().retryDelay(),
                    deadline,
                    () -> update(request, driver)));
    firm.await(driver, check::copiesToReach, applied.position(), deadline);
    check.end();
    driver.replica().firm(applied.position());
    return applied;
  }

  private static AppliedKey update(Update request, ReplicaDriver driver) {
    try {
      return driver
          .replica()
          .update(
              request.generation(),
              driver.assignment().partitioner(),
              request.key(),
              request.function(),
              request.records());
    } catch (EngineFailedException | DamagedKeysException e) {
      throw driver.noted(e);
    } catch (UniserveException e) {
      throw e.code() == ErrorCode.STALE_ROUTING ? driver.noRoom().orElse(e) : e;
    }
  }

  private UniserveException elsewhere(Update request) {
    return new UniserveException(
        ErrorCode.STALE_ROUTING,
        "server " + server.name() + " has no copy of actor " + request.actor());
  }
}
