package io.uniserve.simulation.scenario.cluster;

import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;
import java.util.ArrayList;
import java.util.List;

/** A store that loses an actor's log once there is a checkpoint, whatever the retention. */
public final class CollectsAtOnce extends ForwardingStore {
  public CollectsAtOnce(DurableStore store) {
    super(store);
  }

  @Override
  public void put(String key, Content content) {
    super.put(key, content);
    collect(key);
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    boolean put = super.putIfAbsent(key, content);
    collect(key);
    return put;
  }

  private void collect(String key) {
    if (key.contains("/history/checkpoint-")) {
      List<String> logs = new ArrayList<>();
      list(key.substring(0, key.lastIndexOf('/') + 1), object -> logs.add(object.key()));
      logs.stream().filter(log -> log.contains("/log-")).forEach(this::delete);
    }
  }
}
