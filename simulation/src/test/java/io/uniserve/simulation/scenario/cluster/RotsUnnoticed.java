package io.uniserve.simulation.scenario.cluster;

import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.StoredObject;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A store that gives log objects with one bit changed, without looking at their checksum. */
final class RotsUnnoticed implements DurableStore {
  private final DurableStore store;

  RotsUnnoticed(DurableStore store) {
    this.store = store;
  }

  @Override
  public void put(String key, Content content) {
    store.put(key, content);
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    return store.putIfAbsent(key, content);
  }

  @Override
  public byte[] get(String key, int sizeBytesMax) {
    byte[] bytes = store.get(key, sizeBytesMax);
    if (key.contains("/log-")) {
      // In the last record, which ends the object.
      bytes[bytes.length - 1] ^= 2;
    }
    return bytes;
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
