package io.uniserve.node.http.metrics;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.LoadMessage.Load;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The load that the coordinator knows, requested at a limited rate, however many callers want it.
 */
public final class Loads {
  private static final Logger LOG = LoggerFactory.getLogger(Loads.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final UniserveClient client;
  private final long maxAgeNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private Load newest = Load.NONE;
  private long askedNanos;
  private boolean asked;

  public Loads(UniserveClient client, Duration maxAge) {
    this.client = client;
    maxAgeNanos = maxAge.toNanos();
  }

  /** Returns the known load; {@link Load#NONE} while there is no coordinator to ask. */
  public Load get() {
    lock.lock();
    try {
      long now = System.nanoTime();
      if (!asked || now - askedNanos > maxAgeNanos) {
        newest = ask();
        askedNanos = System.nanoTime();
        asked = true;
      }
      return newest;
    } finally {
      lock.unlock();
    }
  }

  private Load ask() {
    try {
      return client.view().load(TIMEOUT);
    } catch (UniserveException e) {
      LOG.debug("nothing is known of load: {}", e.getMessage());
      return Load.NONE;
    }
  }
}
