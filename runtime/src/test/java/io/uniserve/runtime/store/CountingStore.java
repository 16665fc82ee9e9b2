package io.uniserve.runtime.store;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Another store that remembers what was put into it, and fails when told to. */
final class CountingStore implements DurableStore {
  final List<String> puts = new CopyOnWriteArrayList<>();
  final AtomicInteger putsUntilFailure = new AtomicInteger(Integer.MAX_VALUE);

  private final DurableStore store;

  CountingStore(DurableStore store) {
    this.store = store;
  }

  @Override
  public void put(String key, Content content) {
    if (putsUntilFailure.getAndDecrement() <= 0) {
      throw new UniserveException(ErrorCode.UNAVAILABLE, "put " + key + ": told to fail");
    }
    store.put(key, content);
    puts.add(key);
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
