package io.uniserve.runtime.cluster;

import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.StoredObject;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Another store, which holds back the checkpoints of actors until it is told. */
final class HeldStore implements DurableStore {
  /** Is at zero once a checkpoint is held back. */
  final CountDownLatch holds = new CountDownLatch(1);

  /** Whoever counts it down lets all checkpoints through. */
  final CountDownLatch release = new CountDownLatch(1);

  /** Is at zero once a checkpoint has got through. */
  final CountDownLatch written = new CountDownLatch(1);

  private final DurableStore store;

  HeldStore(DurableStore store) {
    this.store = store;
  }

  @Override
  public void put(String key, Content content) {
    boolean checkpoint = key.contains("/history/checkpoint-");
    if (checkpoint) {
      holds.countDown();
      awaitRelease();
    }
    store.put(key, content);
    if (checkpoint) {
      written.countDown();
    }
  }

  private void awaitRelease() {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
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
