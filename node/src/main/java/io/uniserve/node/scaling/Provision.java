package io.uniserve.node.scaling;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.control.scaling.Machines;
import io.uniserve.runtime.control.scaling.ServerNames;
import io.uniserve.runtime.control.scaling.ServerProvider;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The provider that carries the wishes of the controller that decides out on machines, on a thread
 * of its own; the newest wish counts.
 */
public final class Provision implements ServerProvider, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Provision.class);
  private static final long CLOSE_SECONDS_MAX = 20;

  private final Machines machines;
  private final AtomicReference<Wish> newest = new AtomicReference<>(new Wish(0, null));
  private final Semaphore wished = new Semaphore(0);
  private final Thread thread;
  private volatile Optional<String> problem = Optional.empty();
  private volatile boolean closed;

  private record Wish(long version, SortedSet<String> running) {}

  /**
   * @param machines closed with this
   */
  public Provision(Machines machines) {
    this.machines = machines;
    thread = Thread.ofPlatform().daemon().name("servers").start(this::run);
  }

  @Override
  public ServerNames names() {
    return machines.names();
  }

  @Override
  public boolean endsAny() {
    return machines.endsAny();
  }

  @Override
  public void want(long version, SortedSet<String> running) {
    Wish wish = new Wish(version, running);
    newest.updateAndGet(before -> before.version() > version ? before : wish);
    wished.release();
  }

  @Override
  public Optional<String> problem() {
    return problem;
  }

  private void run() {
    try {
      while (!closed) {
        wished.acquire();
        wished.drainPermits();
        if (!closed) {
          make(newest.get());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Carries a wish out. One that fails is tried again soon. */
  private void make(Wish wish) {
    try {
      machines.make(wish.version(), wish.running());
      problem = Optional.empty();
    } catch (RuntimeException e) {
      String message = UniserveException.of(e).getMessage();
      if (!problem.equals(Optional.of(message))) {
        LOG.warn("servers cannot be started or ended as wanted: {}", message);
      }
      problem = Optional.of(message);
    }
  }

  /** Waits for the work under way. */
  @Override
  public void close() {
    closed = true;
    wished.release();
    try {
      if (!thread.join(Duration.ofSeconds(CLOSE_SECONDS_MAX))) {
        LOG.warn("servers are still being started or ended after {} s", CLOSE_SECONDS_MAX);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      machines.close();
    }
  }
}
