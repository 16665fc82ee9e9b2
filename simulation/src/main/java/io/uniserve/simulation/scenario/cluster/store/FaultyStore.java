package io.uniserve.simulation.scenario.cluster.store;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;
import io.uniserve.runtime.store.StoredObject;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A store some of whose reads, listings, writes and deletions fail. */
public final class FaultyStore extends ForwardingStore {
  private final StoreFaults faults;

  public FaultyStore(DurableStore store, StoreFaults faults) {
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

  @Override
  public boolean exists(String key) {
    readable(key);
    return super.exists(key);
  }

  /** Lists objects. It may also fail at the end, when the result is known. */
  @Override
  public void list(String prefix, Consumer<StoredObject> visitor) {
    readable(prefix);
    super.list(prefix, visitor);
    readable(prefix);
  }

  @Override
  public void delete(String key) {
    boolean fails = faults.fails();
    if (!fails || faults.takesEffect()) {
      super.delete(key);
    }
    failIf(fails, key);
  }

  private void readable(String key) {
    failIf(faults.failsToRead(), key);
  }

  private static void failIf(boolean fails, String key) {
    if (fails) {
      throw new UniserveException(ErrorCode.UNAVAILABLE, key + ": the store fails");
    }
  }
}
