package io.uniserve.runtime.cluster;

import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;
import java.util.concurrent.CountDownLatch;

/** A store that holds back the checkpoints of actors until it is released. */
final class HeldStore extends ForwardingStore {
  /** A latch that is at zero once a checkpoint is held back. */
  final CountDownLatch holds = new CountDownLatch(1);

  /** A latch that lets all checkpoints through once it is counted down. */
  final CountDownLatch release = new CountDownLatch(1);

  /** A latch that is at zero once a checkpoint has got through. */
  final CountDownLatch written = new CountDownLatch(1);

  HeldStore(DurableStore store) {
    super(store);
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    boolean checkpoint = key.contains("/history/checkpoint-");
    if (checkpoint) {
      holds.countDown();
      awaitRelease();
    }
    boolean put = super.putIfAbsent(key, content);
    if (checkpoint) {
      written.countDown();
    }
    return put;
  }

  private void awaitRelease() {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
