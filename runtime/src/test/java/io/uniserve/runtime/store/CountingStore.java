package io.uniserve.runtime.store;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Another store that remembers what was put into it, and fails when told to. */
final class CountingStore extends ForwardingStore {
  final List<String> puts = new CopyOnWriteArrayList<>();
  final AtomicInteger putsUntilFailure = new AtomicInteger(Integer.MAX_VALUE);

  CountingStore(DurableStore store) {
    super(store);
  }

  @Override
  public void put(String key, Content content) {
    failIfTold(key);
    super.put(key, content);
    puts.add(key);
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    failIfTold(key);
    boolean put = super.putIfAbsent(key, content);
    if (put) {
      puts.add(key);
    }
    return put;
  }

  private void failIfTold(String key) {
    if (putsUntilFailure.getAndDecrement() <= 0) {
      throw new UniserveException(ErrorCode.UNAVAILABLE, "put " + key + ": told to fail");
    }
  }
}
