package io.uniserve.node.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a command running until the process is asked to end, and then closes what it started, the
 * latest first.
 */
final class Foreground implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Foreground.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook = Thread.ofPlatform().name("shutdown").unstarted(this::closeAll);

  Foreground() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Takes charge of closing a part. */
  <T extends AutoCloseable> T add(T part) {
    lock.lock();
    try {
      parts.push(part);
    } finally {
      lock.unlock();
    }
    return part;
  }

  /** Waits for the end of the process. */
  void await() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closeAll();
    if (!Thread.currentThread().equals(hook)) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        LOG.debug("the process is ending already", e);
      }
    }
  }

  private void closeAll() {
    lock.lock();
    try {
      while (!parts.isEmpty()) {
        close(parts.pop());
      }
    } finally {
      lock.unlock();
      closed.countDown();
    }
  }

  /** A part that does not close well keeps no other from being closed. */
  private static void close(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      LOG.warn("{} did not close well", part.getClass().getSimpleName(), e);
    }
  }
}
