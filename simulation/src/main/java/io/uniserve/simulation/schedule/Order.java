package io.uniserve.simulation.schedule;

import io.uniserve.simulation.schedule.SimulatedThread.Ready;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The choice of the thread that runs next. A run keeps to one style: some defects show when any
 * thread may come next, and others only when one thread lags behind all others repeatedly.
 */
final class Order {
  private static final int ONE_IN = 8;

  private enum Style {
    /** Any thread runs, with equal chances. */
    ANY,
    /** Each thread has a rank, and the first in rank runs, with exceptions. */
    RANKED,
    /** The thread that became able to run last runs, with exceptions. */
    NEWEST
  }

  private final RandomGenerator random;
  private final Style style;
  private final long salt;

  Order(RandomGenerator random) {
    this.random = random;
    style = Style.values()[random.nextInt(Style.values().length)];
    salt = random.nextLong();
  }

  /** Returns the index of the next thread to run. */
  int next(List<Ready> runnable) {
    int any = random.nextInt(runnable.size());
    boolean exception = random.nextInt(ONE_IN) == 0;
    return switch (style) {
      case ANY -> any;
      case RANKED -> exception ? any : firstInRank(runnable);
      case NEWEST -> exception ? any : runnable.size() - 1;
    };
  }

  private int firstInRank(List<Ready> runnable) {
    int first = 0;
    for (int i = 1; i < runnable.size(); i++) {
      if (rank(runnable.get(i)) < rank(runnable.get(first))) {
        first = i;
      }
    }
    return first;
  }

  private long rank(Ready ready) {
    long mixed = (ready.thread().ordinal() ^ salt) * 0x9e3779b97f4a7c15L;
    return mixed ^ mixed >>> 32;
  }
}
