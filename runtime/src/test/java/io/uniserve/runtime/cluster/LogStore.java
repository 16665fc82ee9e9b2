package io.uniserve.runtime.cluster;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;
import io.uniserve.runtime.store.backup.HistoryItem;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A store that accepts no checkpoints. Its log objects can at times be read only once: by the plan,
 * and not by the restore.
 */
final class LogStore extends ForwardingStore {
  /** The observations and faults that the stores of all servers share. */
  static final class Watch {
    /**
     * A future that is complete once a number of updates are in the logs of all actors together.
     */
    final CompletableFuture<Void> stored = new CompletableFuture<>();

    /** A future that is complete once a log object could not be read again. */
    final CompletableFuture<Void> refused = new CompletableFuture<>();

    volatile boolean fails;
    private final long updates;
    private final Set<String> read = ConcurrentHashMap.newKeySet();
    private final Map<String, Long> ends = new ConcurrentHashMap<>();

    /**
     * @param updates the number that is waited for
     */
    Watch(long updates) {
      this.updates = updates;
    }

    private void put(String key) {
      int name = key.lastIndexOf('/') + 1;
      if (HistoryItem.parse(key.substring(name)).orElse(null) instanceof HistoryItem.Log log) {
        ends.merge(key.substring(0, name), log.last().sequence(), Math::max);
        if (ends.values().stream().mapToLong(end -> end).sum() >= updates) {
          stored.complete(null);
        }
      }
    }
  }

  private final Watch watch;

  LogStore(DurableStore store, Watch watch) {
    super(store);
    this.watch = watch;
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    if (key.contains("/history/checkpoint-")) {
      throw new UniserveException(ErrorCode.UNAVAILABLE, "503 for " + key);
    }
    boolean put = super.putIfAbsent(key, content);
    watch.put(key);
    return put;
  }

  @Override
  public byte[] get(String key, int sizeBytesMax) {
    if (watch.fails && key.contains("/history/log-") && !watch.read.add(key)) {
      watch.refused.complete(null);
      throw new UniserveException(ErrorCode.UNAVAILABLE, "503 for " + key);
    }
    return super.get(key, sizeBytesMax);
  }
}
