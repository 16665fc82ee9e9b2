package io.uniserve.runtime.store.backup;

import io.uniserve.kernel.Clock;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.backup.HistoryItem.Checkpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * The deletion of objects that no backup and no restore needs any more. First it deletes expired
 * items of the history, then files that no manifest names and that are older than any restore. It
 * never deletes what a later primary has written, which may know more than this one.
 */
final class Collector {
  private final DurableStore store;
  private final Clock clock;
  private final Duration grace;

  Collector(DurableStore store, Clock clock, Duration grace) {
    this.store = store;
    this.clock = clock;
    this.grace = grace;
  }

  /**
   * Deletes unneeded objects.
   *
   * @param writer the epoch of the primary that deletes
   * @param manifests reads manifests
   * @return the names of the objects that are still needed; empty if this primary was deposed
   */
  Optional<Set<String>> collect(
      BackupPlace place,
      History history,
      long writer,
      Duration retention,
      BiFunction<BackupPlace, Checkpoint, Manifest> manifests) {
    if (history.newestEpoch() != writer) {
      return Optional.empty();
    }
    Instant now = clock.now();
    Set<HistoryItem> gone = new LinkedHashSet<>(expired(history, now, retention));
    gone.forEach(item -> retire(place, item, now));
    Set<String> needed = new TreeSet<>(neededByRetired(place, now.minus(grace)));
    for (HistoryItem item : history.items()) {
      if (item instanceof Checkpoint checkpoint && !gone.contains(item)) {
        needed.addAll(manifests.apply(place, checkpoint).objects());
      }
    }
    deleteUnneeded(place, needed, writer, now.minus(grace));
    return Optional.of(needed);
  }

  /**
   * Retires a checkpoint. A restore may have chosen it, though nobody else will: its files are kept
   * for a while.
   */
  private void retire(BackupPlace place, HistoryItem item, Instant now) {
    String key = BackupKeys.item(place, item);
    if (item instanceof Checkpoint) {
      byte[] manifest = store.get(key, Manifest.SIZE_BYTES_MAX);
      String name = now.toEpochMilli() + "-" + item.name();
      store.put(BackupKeys.retired(place) + name, Content.of(manifest));
    }
    store.delete(key);
  }

  private Set<String> neededByRetired(BackupPlace place, Instant before) {
    Set<String> needed = new TreeSet<>();
    store.list(
        BackupKeys.retired(place),
        object -> {
          if (retiredMillis(object.key()) < before.toEpochMilli()) {
            store.delete(object.key());
          } else {
            byte[] manifest = store.get(object.key(), Manifest.SIZE_BYTES_MAX);
            needed.addAll(Manifest.decode(manifest, object.key()).objects());
          }
        });
    return needed;
  }

  private static long retiredMillis(String key) {
    return numberBefore(BackupKeys.nameOf(key));
  }

  private List<HistoryItem> expired(History history, Instant now, Duration retention) {
    Instant horizon = now.minus(retention).minus(grace);
    return new Expiry(history, horizon.toEpochMilli(), now.toEpochMilli()).expired();
  }

  private void deleteUnneeded(BackupPlace place, Set<String> needed, long writer, Instant before) {
    store.list(
        BackupKeys.objects(place),
        object -> {
          String name = BackupKeys.nameOf(object.key());
          if (!needed.contains(name)
              && numberBefore(name) <= writer
              && object.modified().isBefore(before)) {
            store.delete(object.key());
          }
        });
  }

  /**
   * Returns the number at the beginning of a name. Names that are not of this form are unknown, and
   * are left alone.
   */
  private static long numberBefore(String name) {
    int dash = name.indexOf('-');
    boolean known = dash > 0 && name.substring(0, dash).matches("\\d{1,18}");
    return known ? Long.parseLong(name.substring(0, dash)) : Long.MAX_VALUE;
  }
}
