package io.uniserve.simulation.scenario.cluster.store;

import io.uniserve.kernel.Environment;
import io.uniserve.runtime.store.DurableStore;

/** As good as a defect of the system: a durable store that does not do what it says. */
@FunctionalInterface
public interface StoreDefect {
  /** The store as it is. */
  StoreDefect NONE = (store, environment) -> store;

  /** What one life of a server takes for its store. */
  DurableStore of(DurableStore store, Environment environment);
}
