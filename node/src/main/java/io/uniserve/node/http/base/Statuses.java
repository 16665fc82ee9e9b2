package io.uniserve.node.http.base;

import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.ServerStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The statuses of all servers, requested at a limited rate, however many callers want them. */
public final class Statuses {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final UniserveClient client;
  private final long maxAgeNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private List<ServerStatus> newest = List.of();
  private long askedNanos;
  private boolean asked;

  public Statuses(UniserveClient client, Duration maxAge) {
    this.client = client;
    maxAgeNanos = maxAge.toNanos();
  }

  /** Returns the statuses of the servers that answer. */
  public List<ServerStatus> get() {
    lock.lock();
    try {
      long now = System.nanoTime();
      if (!asked || now - askedNanos > maxAgeNanos) {
        newest = client.view().statuses(TIMEOUT);
        askedNanos = now;
        asked = true;
      }
      return newest;
    } finally {
      lock.unlock();
    }
  }
}
