package io.uniserve.engines.search;

import io.uniserve.api.TableDefinition;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts of the latest searches, so that the next search for the same words need not be preceded by
 * a counting of its own. They may be outdated: each actor that searches with them counts again,
 * which is cheap where the index is, and refuses if it counts otherwise ({@link Search}).
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

  /** Keeps counts of few words: with many, counting is not what takes long. */
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
