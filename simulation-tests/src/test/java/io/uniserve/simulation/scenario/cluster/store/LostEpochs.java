package io.uniserve.simulation.scenario.cluster.store;

import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;
import io.uniserve.runtime.store.StoredObject;
import io.uniserve.runtime.store.backup.HistoryItem;
import io.uniserve.runtime.store.backup.HistoryItem.EpochStart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A store that loses one record of where a primary continued from, for each actor: that of its
 * second epoch.
 */
class LostEpochs extends ForwardingStore {
  private final Set<String> histories = new HashSet<>();
  private final Set<String> lost = new HashSet<>();

  LostEpochs(DurableStore store) {
    super(store);
  }

  @Override
  public void put(String key, Content content) {
    boolean second = item(key).orElse(null) instanceof EpochStart && !histories.add(history(key));
    if (!second || !lost.add(history(key))) {
      super.put(key, content);
    }
  }

  private static String history(String key) {
    return key.substring(0, key.lastIndexOf('/') + 1);
  }

  private static Optional<HistoryItem> item(String key) {
    return HistoryItem.parse(key.substring(key.lastIndexOf('/') + 1));
  }

  /**
   * The same store, in which nobody notices: what primaries wrote whose records are lost is taken
   * for void.
   */
  static final class Unnoticed extends LostEpochs {
    Unnoticed(DurableStore store) {
      super(store);
    }

    @Override
    public void list(String prefix, Consumer<StoredObject> visitor) {
      List<StoredObject> all = new ArrayList<>();
      super.list(prefix, all::add);
      Set<Long> known = new HashSet<>();
      for (StoredObject object : all) {
        if (item(object.key()).orElse(null) instanceof EpochStart epoch) {
          known.add(epoch.writer());
        }
      }
      all.removeIf(
          object -> item(object.key()).filter(i -> !known.contains(i.writer())).isPresent());
      all.forEach(visitor);
    }
  }
}
