package io.uniserve.runtime.server;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/** What has been done on one replica since it was made. */
final class ReplicaCounters {
  private final LongAdder operators = new LongAdder();
  private final LongAdder updates = new LongAdder();
  private final DoubleAdder cost = new DoubleAdder();

  void operated(double itsCost) {
    operators.increment();
    cost.add(itsCost);
  }

  void updated() {
    updates.increment();
  }

  long operators() {
    return operators.sum();
  }

  long updates() {
    return updates.sum();
  }

  double cost() {
    return cost.sum();
  }
}
