package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.StoredObject;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A store some of whose writes fail. */
final class FaultyStore implements DurableStore {
  private final DurableStore store;
  private final StoreFaults faults;

  FaultyStore(DurableStore store, StoreFaults faults) {
    this.store = store;
    this.faults = faults;
  }

  @Override
  public void put(String key, Content content) {
    boolean fails = faults.fails();
    if (!fails || faults.takesEffect()) {
      store.put(key, content);
    }
    failIf(fails, key);
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    boolean fails = faults.fails();
    boolean put = (!fails || faults.takesEffect()) && store.putIfAbsent(key, content);
    failIf(fails, key);
    return put;
  }

  private static void failIf(boolean fails, String key) {
    if (fails) {
      throw new UniserveException(ErrorCode.UNAVAILABLE, "put " + key + ": the store fails");
    }
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
