package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;
import java.time.Duration;

/**
 * A store that reports certain objects as written, and writes them later if its server is still
 * alive.
 */
public final class WritesLater extends ForwardingStore {
  private static final Duration DELAY = Duration.ofSeconds(2);

  private final Environment environment;
  private final String part;

  /**
   * @param part the share of the keys that are written later
   */
  public WritesLater(DurableStore store, Environment environment, String part) {
    super(store);
    this.environment = environment;
    this.part = part;
  }

  @Override
  public void put(String key, Content content) {
    if (key.contains(part)) {
      environment.threads().start("late write", () -> putLater(key, content));
    } else {
      super.put(key, content);
    }
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    if (!key.contains(part)) {
      return super.putIfAbsent(key, content);
    }
    put(key, content);
    return true;
  }

  private void putLater(String key, Content content) {
    try {
      environment.clock().sleep(DELAY);
      super.put(key, content);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (UniserveException e) {
      // This store exists to promise writes that it does not keep.
      return;
    }
  }
}
