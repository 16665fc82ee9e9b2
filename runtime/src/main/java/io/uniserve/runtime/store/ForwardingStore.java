package io.uniserve.runtime.store;

import java.nio.file.Path;
import java.util.function.Consumer;

/** A store that passes everything on to another. Subclasses change some of its methods. */
public abstract class ForwardingStore implements DurableStore {
  private final DurableStore store;

  /**
   * @param store the other store, which is closed with this one
   */
  protected ForwardingStore(DurableStore store) {
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
