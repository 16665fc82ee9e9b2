package io.uniserve.node.cluster;

import io.uniserve.api.error.UniserveException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/** The parts of a process. It closes everything, the latest first, whatever else fails to close. */
public final class Parts implements AutoCloseable {
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** Takes charge of closing a part. */
  public <T extends AutoCloseable> T add(T part) {
    lock.lock();
    try {
      parts.push(part);
    } finally {
      lock.unlock();
    }
    return part;
  }

  /**
   * Closes all parts; a second call does nothing, but waits for the first.
   *
   * @throws UniserveException the first failure, with the others attached
   */
  @Override
  public void close() {
    UniserveException failure = null;
    lock.lock();
    try {
      while (!parts.isEmpty()) {
        failure = close(parts.pop(), failure);
      }
    } finally {
      lock.unlock();
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static UniserveException close(AutoCloseable part, UniserveException former) {
    try {
      part.close();
      return former;
    } catch (Exception e) {
      UniserveException failure = UniserveException.of(e);
      if (former == null) {
        return failure;
      }
      former.addSuppressed(failure);
      return former;
    }
  }
}
