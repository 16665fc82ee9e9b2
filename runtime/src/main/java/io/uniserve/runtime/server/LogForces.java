package io.uniserve.runtime.server;

import io.uniserve.kernel.Clock;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.checkpoint.DamagedCopyException;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The forcing of logs to disk in the background. Updates of eventual tables are acknowledged before
 * the disk has them; a machine that loses its power loses what came since the last force. A
 * checkpoint that was loaded from the durable store is made to stay, too.
 */
final class LogForces {
  private static final Logger LOG = LoggerFactory.getLogger(LogForces.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final ServerContext server;
  private final Supplier<Collection<ReplicaDriver>> drivers;
  private volatile boolean closed;

  LogForces(ServerContext server, Supplier<Collection<ReplicaDriver>> drivers) {
    this.server = server;
    this.drivers = drivers;
  }

  void start() {
    server.environment().threads().start("log forces of " + server.name(), this::run);
  }

  void close() {
    closed = true;
  }

  private void run() {
    try {
      while (!closed) {
        clock().sleep(PAUSE);
        for (ReplicaDriver driver : drivers.get()) {
          if (!closed && !driver.dropped()) {
            force(driver);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void force(ReplicaDriver driver) {
    try {
      if (driver.replica().held()) {
        driver.replica().checkpoints().settle();
      }
      driver.replica().forceAll();
    } catch (DamagedCopyException e) {
      driver.damaged(e);
    } catch (EngineFailedException e) {
      driver.failed(e);
    } catch (IOException e) {
      // It may have been closed meanwhile.
      if (driver.replica().held() && !driver.dropped()) {
        server
            .failures()
            .warn(LOG, "the log of " + driver.replica().target() + " cannot be forced yet", e);
      }
    }
  }

  private Clock clock() {
    return server.environment().clock();
  }
}
