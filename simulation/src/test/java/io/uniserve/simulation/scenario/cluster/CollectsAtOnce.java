package io.uniserve.simulation.scenario.cluster;

import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.StoredObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A store that loses an actor's log once there is a checkpoint, whatever the retention. */
final class CollectsAtOnce implements DurableStore {
  private final DurableStore store;

  CollectsAtOnce(DurableStore store) {
    this.store = store;
  }

  @Override
  public void put(String key, Content content) {
    store.put(key, content);
    if (key.contains("/history/checkpoint-")) {
      List<String> logs = new ArrayList<>();
      store.list(key.substring(0, key.lastIndexOf('/') + 1), object -> logs.add(object.key()));
      logs.stream().filter(log -> log.contains("/log-")).forEach(store::delete);
    }
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    return store.putIfAbsent(key, content);
  }

  @Override
  public byte[] get(String key, int sizeBytesMax) {
    return store.get(key, sizeBytesMax);
  }

  @Override
  public String get(String key, Path target) {
    return store.get(key, target);
  }

  @Override
  public boolean exists(String key) {
    return store.exists(key);
  }

  @Override
  public void list(String prefix, Consumer<StoredObject> visitor) {
    store.list(prefix, visitor);
  }

  @Override
  public void delete(String key) {
    store.delete(key);
  }

  @Override
  public void close() {
    store.close();
  }
}
