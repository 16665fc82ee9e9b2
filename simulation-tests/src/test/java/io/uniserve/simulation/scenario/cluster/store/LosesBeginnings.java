package io.uniserve.simulation.scenario.cluster.store;

import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;

/** A store that loses the objects which say from where primaries went on. */
final class LosesBeginnings extends ForwardingStore {
  private static final String BEGINNING = "/history/reign-";

  LosesBeginnings(DurableStore store) {
    super(store);
  }

  @Override
  public void put(String key, Content content) {
    if (!key.contains(BEGINNING)) {
      super.put(key, content);
    }
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    return key.contains(BEGINNING) || super.putIfAbsent(key, content);
  }
}
