package io.uniserve.arrowrows;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** What is to be closed together, the last first. */
public final class Closing implements AutoCloseable {
  private final Deque<AutoCloseable> all = new ArrayDeque<>();

  /** Adds one, and gives it back. */
  public <T extends AutoCloseable> T with(T one) {
    all.push(one);
    return one;
  }

  /**
   * Closes all, whatever one of them throws.
   *
   * @throws IOException of the first that cannot be closed
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
