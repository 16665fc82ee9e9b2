package io.uniserve.simulation.scenario.copies;

import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;

/** A store that takes every put, whatever its condition. */
final class Unconditional extends ForwardingStore {
  Unconditional(DurableStore store) {
    super(store);
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    put(key, content);
    return true;
  }
}
