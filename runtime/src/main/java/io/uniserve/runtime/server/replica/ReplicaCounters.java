package io.uniserve.runtime.server.replica;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/** The counters of the work on one replica since it was created. */
public final class ReplicaCounters {
  private static final double WEIGHT = 0.1;

  private final LongAdder operators = new LongAdder();
  private final LongAdder updates = new LongAdder();
  private final LongAdder shortUpdates = new LongAdder();
  private final DoubleAdder cost = new DoubleAdder();
  private final LongAdder busyNanos = new LongAdder();

  /** An estimate, in which threads may overwrite each other's values. */
  private volatile double operatorNanos;

  /**
   * @param cpuNanos the CPU time that it took, whatever cost it reports
   * @param itsBusyNanos the time for which it had a worker thread
   */
  public void operated(double itsCost, long cpuNanos, long itsBusyNanos) {
    operators.increment();
    cost.add(itsCost);
    busyNanos.add(itsBusyNanos);
    operatorNanos += (cpuNanos - operatorNanos) * WEIGHT;
  }

  /** Returns the CPU time of the latest operators, as a moving mean. */
  public double operatorNanos() {
    return operatorNanos;
  }

  void updated() {
    updates.increment();
  }

  void tookShort(int more) {
    shortUpdates.add(more);
  }

  public long operators() {
    return operators.sum();
  }

  public long updates() {
    return updates.sum();
  }

  /** Returns how many of the updates it has taken as a primary, past the order of their table. */
  public long shortUpdates() {
    return shortUpdates.sum();
  }

  public double cost() {
    return cost.sum();
  }

  /** Returns for how long operators had a worker thread, all together. */
  public long busyNanos() {
    return busyNanos.sum();
  }
}
