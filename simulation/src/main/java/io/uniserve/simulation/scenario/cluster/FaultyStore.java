package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;
import java.nio.file.Path;

/** A store some of whose reads and writes fail. */
final class FaultyStore extends ForwardingStore {
  private final StoreFaults faults;

  FaultyStore(DurableStore store, StoreFaults faults) {
    super(store);
    this.faults = faults;
  }

  @Override
  public void put(String key, Content content) {
    boolean fails = faults.fails();
    if (!fails || faults.takesEffect()) {
      super.put(key, content);
    }
    failIf(fails, key);
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    boolean fails = faults.fails();
    boolean put = (!fails || faults.takesEffect()) && super.putIfAbsent(key, content);
    failIf(fails, key);
    return put;
  }

  @Override
  public byte[] get(String key, int sizeBytesMax) {
    readable(key);
    return super.get(key, sizeBytesMax);
  }

  @Override
  public String get(String key, Path target) {
    readable(key);
    return super.get(key, target);
  }

  private void readable(String key) {
    if (faults.failsToRead()) {
      throw new UniserveException(ErrorCode.UNAVAILABLE, "get " + key + ": the store fails");
    }
  }

  private static void failIf(boolean fails, String key) {
    if (fails) {
      throw new UniserveException(ErrorCode.UNAVAILABLE, "put " + key + ": the store fails");
    }
  }
}
