package io.uniserve.runtime.server.update;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.replica.OccupiedException;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * The steps by which a primary of a serializable, snapshot or ordered table makes its updates firm:
 * on disk here and on every readable copy, and in the durable store if they have to be there first.
 * Whoever is elected later has a firm update.
 */
public final class FirmUpdates {
  private final ServerContext server;
  private final OutcomeInquiry inquiry;

  public FirmUpdates(ServerContext server, OutcomeInquiry inquiry) {
    this.server = server;
    this.inquiry = inquiry;
  }

  /**
   * Waits until everything up to a position is firm.
   *
   * @param followers the copies that must have it; asked again after each change
   */
  void await(
      ReplicaDriver driver,
      Supplier<? extends Collection<CopyId>> followers,
      Position position,
      Deadline deadline) {
    driver.followers().changed(); // they copy it while it is forced here
    force(driver, position);
    driver.backup().awaitDurable(position, deadline);
    driver.followers().await(followers, position, deadline);
  }

  /**
   * Waits until everything up to a position is firm that a primary of an epoch has.
   *
   * @throws UniserveException with {@link ErrorCode#STALE_ROUTING} once it leads that epoch no more
   */
  public void await(ReplicaDriver driver, long epoch, Position position, Deadline deadline) {
    await(driver, () -> followers(driver, epoch), position, deadline);
  }

  /**
   * Returns the copies that must have what a primary of an epoch has.
   *
   * @throws UniserveException with {@link ErrorCode#STALE_ROUTING} once it leads that epoch no more
   */
  private static List<CopyId> followers(ReplicaDriver driver, long epoch) {
    if (!driver.replica().leads(epoch)) {
      throw new UniserveException(
          ErrorCode.STALE_ROUTING,
          driver.replica().target() + " is not led by this server any more");
    }
    return driver.copiesToReach();
  }

  private static void force(ReplicaDriver driver, Position position) {
    try {
      driver.replica().force(position);
    } catch (EngineFailedException e) {
      driver.failed(e);
      throw e;
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED,
          "what "
              + driver.replica().target()
              + " has logged cannot be made durable: "
              + UniserveException.reason(e),
          e);
    }
  }

  /**
   * Runs an update once no transaction is prepared on its actor, and makes sure that the outcome of
   * one that is becomes known.
   *
   * @param patience the time after which nobody who decided the transaction is expected to tell
   * @throws OccupiedException if the deadline passes before
   */
  <T> T whenFree(ReplicaDriver driver, Duration patience, Deadline deadline, Supplier<T> update) {
    Deadline asked = Deadline.after(server.environment().clock(), patience);
    while (true) {
      Signal next = driver.followers().nextChange();
      try {
        return update.get();
      } catch (OccupiedException e) {
        deadline.check(server.environment().clock(), e.getMessage());
      }
      if (asked.expired(server.environment().clock())) {
        inquiry.conclude(driver);
        asked = Deadline.after(server.environment().clock(), pause());
      }
      await(next, asked.earlier(deadline));
    }
  }

  private Duration pause() {
    return server.settings().copies().retryDelay();
  }

  private static void await(Signal next, Deadline deadline) {
    try {
      next.await(deadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted", e);
    }
  }

  /**
   * Runs an update that may be refused. A refusal shows what the actor has, so it is told once that
   * is firm.
   */
  <T> T told(
      ReplicaDriver driver,
      Supplier<? extends Collection<CopyId>> followers,
      Deadline deadline,
      Supplier<T> update) {
    try {
      return update.get();
    } catch (UniserveException e) {
      if (!e.retryable()) {
        await(driver, followers, driver.replica().position(), deadline);
      }
      throw e;
    }
  }
}
