package io.uniserve.node.http.connection;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;

/**
 * A body whose bytes read are taken from a budget, and which is given up if it arrives so slowly
 * that its sender seems to hold on to the budget. Used by one thread.
 */
final class CountedStream extends ServletInputStream {
  private static final int SKIPPED_AT_ONCE = 16 << 10;

  private final ServletInputStream in;
  private final BodyBudget budget;
  private final Pace pace;
  private long bytes;

  CountedStream(ServletInputStream in, BodyBudget budget, Pace pace) {
    this.in = in;
    this.budget = budget;
    this.pace = pace;
  }

  /** Returns how much was taken from the budget. */
  long bytes() {
    return bytes;
  }

  private int count(int read) {
    if (read > 0) {
      budget.take(read);
      bytes += read;
    }
    return read;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    return count(arriving(target, offset, length));
  }

  /**
   * Skips bytes. They are waited for no longer than others, and are not counted, since nobody keeps
   * them.
   */
  @Override
  public long skip(long count) throws IOException {
    byte[] passing = new byte[SKIPPED_AT_ONCE];
    long skipped = 0;
    while (skipped < count) {
      int read = arriving(passing, 0, (int) Math.min(passing.length, count - skipped));
      if (read < 0) {
        break;
      }
      skipped += read;
    }
    return skipped;
  }

  private int arriving(byte[] target, int offset, int length) throws IOException {
    long asked = System.nanoTime();
    try {
      int read = in.read(target, offset, length);
      pace.arrived(Math.max(read, 0), System.nanoTime() - asked);
      return read;
    } catch (IOException e) {
      pace.arrived(
          0, System.nanoTime() - asked); // a silent sender is too slow, and is told so then
      throw e;
    }
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
