package io.uniserve.runtime.store;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Another store that remembers what was put into it, and fails when told to. */
public final class CountingStore extends ForwardingStore {
  public final List<String> puts = new CopyOnWriteArrayList<>();
  public final AtomicInteger putsUntilFailure = new AtomicInteger(Integer.MAX_VALUE);

  public CountingStore(DurableStore store) {
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
