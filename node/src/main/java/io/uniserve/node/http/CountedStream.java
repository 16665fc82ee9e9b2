package io.uniserve.node.http;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;

/**
 * A body that takes from a budget what has been read of it, and that is given up if it arrives so
 * slowly that somebody seems to hold on to the budget. Used by one thread.
 */
final class CountedStream extends ServletInputStream {
  private static final long PATIENCE_NANOS = 30_000_000_000L;
  private static final long BYTES_PER_SECOND_MIN = 1024;

  private final ServletInputStream in;
  private final BodyBudget budget;
  private final long startedNanos = System.nanoTime();
  private long bytes;

  CountedStream(ServletInputStream in, BodyBudget budget) {
    this.in = in;
    this.budget = budget;
  }

  /** How much was taken from the budget. */
  long bytes() {
    return bytes;
  }

  private int count(int read) {
    if (read > 0) {
      budget.take(read);
      bytes += read;
      requireSpeed();
    }
    return read;
  }

  private void requireSpeed() {
    long elapsed = System.nanoTime() - startedNanos;
    if (elapsed > PATIENCE_NANOS && bytes / (elapsed / 1e9) < BYTES_PER_SECOND_MIN) {
      throw new UniserveException(
          ErrorCode.DEADLINE_EXCEEDED,
          "the body arrives at less than " + BYTES_PER_SECOND_MIN + " bytes a second");
    }
  }

  @Override
  public int read() throws IOException {
    int read = in.read();
    count(read < 0 ? -1 : 1);
    return read;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    return count(in.read(target, offset, length));
  }

  /** What nobody keeps takes nothing. */
  @Override
  public long skip(long count) throws IOException {
    return in.skip(count);
  }

  @Override
  public boolean isFinished() {
    return in.isFinished();
  }

  @Override
  public boolean isReady() {
    return in.isReady();
  }

  @Override
  public void setReadListener(ReadListener listener) {
    in.setReadListener(listener);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
