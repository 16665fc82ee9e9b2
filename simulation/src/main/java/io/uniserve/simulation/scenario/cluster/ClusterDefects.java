package io.uniserve.simulation.scenario.cluster;

import io.uniserve.kernel.Environment;
import io.uniserve.simulation.model.BatchDefect;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.cluster.store.StoreDefect;
import io.uniserve.simulation.scenario.cluster.work.ErrorDefect;
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
 * @param errors the defect of the errors that callers are told
 */
record ClusterDefects(
    Interception messages,
    StoreDefect store,
    BatchDefect engine,
    UnaryOperator<Environment> machines,
    SessionDefect sessions,
    ErrorDefect errors) {
  /** No defect. */
  static final ClusterDefects NONE =
      new ClusterDefects(
          new Interception() {},
          StoreDefect.NONE,
          BatchDefect.NONE,
          UnaryOperator.identity(),
          SessionDefect.NONE,
          ErrorDefect.NONE);

  ClusterDefects withMessages(Interception other) {
    return new ClusterDefects(other, store, engine, machines, sessions, errors);
  }

  ClusterDefects withStore(StoreDefect other) {
    return new ClusterDefects(messages, other, engine, machines, sessions, errors);
  }

  ClusterDefects withEngine(BatchDefect other) {
    return new ClusterDefects(messages, store, other, machines, sessions, errors);
  }

  ClusterDefects withMachines(UnaryOperator<Environment> other) {
    return new ClusterDefects(messages, store, engine, other, sessions, errors);
  }

  ClusterDefects withSessions(SessionDefect other) {
    return new ClusterDefects(messages, store, engine, machines, other, errors);
  }

  ClusterDefects withErrors(ErrorDefect other) {
    return new ClusterDefects(messages, store, engine, machines, sessions, other);
  }
}
