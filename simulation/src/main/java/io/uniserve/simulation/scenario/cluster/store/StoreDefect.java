package io.uniserve.simulation.scenario.cluster.store;

import io.uniserve.kernel.Environment;
import io.uniserve.runtime.store.DurableStore;

/** An intended defect of the durable store. */
@FunctionalInterface
public interface StoreDefect {
  /** The store without a defect. */
  StoreDefect NONE = (store, environment) -> store;

  /** Returns the store that one life of a server uses. */
  DurableStore of(DurableStore store, Environment environment);
}
