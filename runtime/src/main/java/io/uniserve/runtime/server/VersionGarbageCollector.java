package io.uniserve.runtime.server;

import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;

/** The periodic freeing of versions and marks that no read can ask for any more. */
final class VersionGarbageCollector {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final ServerContext server;
  private final Supplier<Collection<ReplicaDriver>> drivers;
  private volatile boolean closed;

  VersionGarbageCollector(ServerContext server, Supplier<Collection<ReplicaDriver>> drivers) {
    this.server = server;
    this.drivers = drivers;
  }

  void start() {
    server.environment().threads().start("versions of " + server.name(), this::run);
  }

  private void run() {
    try {
      while (!closed) {
        server.environment().clock().sleep(INTERVAL);
        drivers.get().forEach(driver -> driver.replica().reads().free());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void close() {
    closed = true;
  }
}
