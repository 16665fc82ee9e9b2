package io.uniserve.engines.search;

import io.uniserve.api.TableDefinition;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A cache of the counts of the latest searches, so that the next search for the same words need not
 * count first. The counts may be outdated. Each actor that searches with them counts again, which
 * is cheap within the search, and gives no answer if its counts differ ({@link Search}).
 */
final class KeptCounts {
  private static final int KEPT_MAX = 1000;
  private static final int WORDS_MAX = 32;

  private record Key(String table, int actors, CountWords words) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Key, Counts> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Counts> eldest) {
          return size() > KEPT_MAX;
        }
      };

  Optional<Counts> of(TableDefinition table, CountWords words) {
    lock.lock();
    try {
      return Optional.ofNullable(kept.get(new Key(table.name(), table.actors(), words)));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Keeps the counts if they are of few words. With many words, counting takes little of a search's
   * time.
   */
  void keep(TableDefinition table, Counts counts) {
    if (counts.words().words().size() + counts.words().fuzzy().size() > WORDS_MAX) {
      return;
    }
    lock.lock();
    try {
      kept.put(new Key(table.name(), table.actors(), counts.words()), counts);
    } finally {
      lock.unlock();
    }
  }
}
