package io.uniserve.sql.arrow;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Resources that are closed together, the last first. */
public final class Closing implements AutoCloseable {
  private final Deque<AutoCloseable> all = new ArrayDeque<>();

  /** Adds a resource, and returns it. */
  public <T extends AutoCloseable> T with(T one) {
    all.push(one);
    return one;
  }

  /**
   * Closes all, even if some of them throw.
   *
   * @throws IOException that of the first resource that cannot be closed
   */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    while (!all.isEmpty()) {
      try {
        all.pop().close();
      } catch (Exception e) {
        failure = failure == null ? new IOException(e.getMessage(), e) : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
