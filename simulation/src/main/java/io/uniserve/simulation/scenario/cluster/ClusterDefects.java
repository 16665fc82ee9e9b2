package io.uniserve.simulation.scenario.cluster;

import io.uniserve.kernel.Environment;
import io.uniserve.simulation.model.BatchDefect;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.cluster.store.StoreDefect;
import io.uniserve.simulation.scenario.cluster.work.Workload.SessionDefect;
import java.util.function.UnaryOperator;

/**
 * The intended defects of a run.
 *
 * @param messages changes messages between processes
 * @param store the defect of the durable store
 * @param engine the defect of the engine
 * @param machines changes the machine of a server
 * @param sessions the defect of the sessions of clients
 */
record ClusterDefects(
    Interception messages,
    StoreDefect store,
    BatchDefect engine,
    UnaryOperator<Environment> machines,
    SessionDefect sessions) {
  /** No defect. */
  static final ClusterDefects NONE =
      new ClusterDefects(
          new Interception() {},
          StoreDefect.NONE,
          BatchDefect.NONE,
          UnaryOperator.identity(),
          SessionDefect.NONE);

  ClusterDefects withMessages(Interception other) {
    return new ClusterDefects(other, store, engine, machines, sessions);
  }

  ClusterDefects withStore(StoreDefect other) {
    return new ClusterDefects(messages, other, engine, machines, sessions);
  }

  ClusterDefects withEngine(BatchDefect other) {
    return new ClusterDefects(messages, store, other, machines, sessions);
  }

  ClusterDefects withMachines(UnaryOperator<Environment> other) {
    return new ClusterDefects(messages, store, engine, other, sessions);
  }

  ClusterDefects withSessions(SessionDefect other) {
    return new ClusterDefects(messages, store, engine, machines, other);
  }
}
