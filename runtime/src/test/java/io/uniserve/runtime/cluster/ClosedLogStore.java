package io.uniserve.runtime.cluster;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A store that does not return the logs of actors while it is closed. */
final class ClosedLogStore extends ForwardingStore {
  private volatile CountDownLatch refusals = new CountDownLatch(0);
  private volatile boolean closed;

  ClosedLogStore(DurableStore store) {
    super(store);
  }

  /**
   * Returns no log from now on.
   *
   * @return is at zero once this many logs were requested and refused
   */
  CountDownLatch closeLogs(int count) {
    refusals = new CountDownLatch(count);
    closed = true;
    return refusals;
  }

  /** Returns logs again. */
  void openLogs() {
    closed = false;
  }

  private void check(String key) {
    if (closed && key.contains("/history/log-")) {
      refusals.countDown();
      throw new UniserveException(ErrorCode.UNAVAILABLE, "503 for " + key);
    }
  }

  @Override
  public byte[] get(String key, int sizeBytesMax) {
    check(key);
    return super.get(key, sizeBytesMax);
  }

  @Override
  public String get(String key, Path target) {
    check(key);
    return super.get(key, target);
  }
}
