package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.StoredObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/** A store that says it has written certain objects, and writes them later if its server lives. */
final class WritesLater implements DurableStore {
  private static final Duration DELAY = Duration.ofSeconds(2);

  private final DurableStore store;
  private final Environment environment;
  private final String part;

  /**
   * @param part of the keys that are written later
   */
  WritesLater(DurableStore store, Environment environment, String part) {
    this.store = store;
    this.environment = environment;
    this.part = part;
  }

  @Override
  public void put(String key, Content content) {
    if (key.contains(part)) {
      environment.threads().start("late write", () -> putLater(key, content));
    } else {
      store.put(key, content);
    }
  }

  private void putLater(String key, Content content) {
    try {
      environment.clock().sleep(DELAY);
      store.put(key, content);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (UniserveException e) {
      // What is promised and not kept is what this store is for.
      return;
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
