package io.uniserve.simulation.scenario.copies;

import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The store that both clusters share, as seen from outside: who wrote each object, and who owns it.
 * It checks that nobody changes an object of the other, unless it was owner first.
 */
final class SharedStore {
  private static final String CLUSTERS = "clusters/";
  private static final String OWNERS = "/owners";
  private static final String OWNER = "/owner-";
  private static final String LOG = "/history/log-";

  private final Map<String, Written> objects = new LinkedHashMap<>();
  private final Consumer<String> note;
  private Optional<Site> owner = Optional.empty();
  private int changes;

  private record Written(Site by, String sha256) {}

  /**
   * @param note notes each new owner
   */
  SharedStore(Consumer<String> note) {
    this.note = note;
  }

  /** Returns whose site's servers last took the store over. */
  Optional<Site> owner() {
    return owner;
  }

  /** Returns how often the other site took the store over. */
  int changes() {
    return changes;
  }

  /** Returns the store as the servers of a site use it. */
  DurableStore of(DurableStore store, Site site) {
    return new Watched(store, site);
  }

  private final class Watched extends ForwardingStore {
    private final Site site;

    Watched(DurableStore store, Site site) {
      super(store);
      this.site = site;
    }

    @Override
    public void put(String key, Content content) {
      super.put(key, content);
      written(site, key, content);
    }

    @Override
    public boolean putIfAbsent(String key, Content content) {
      boolean put = super.putIfAbsent(key, content);
      if (put) {
        written(site, key, content);
      }
      return put;
    }

    @Override
    public void delete(String key) {
      boolean owned = owns(site);
      super.delete(key);
      deleted(site, key, owned);
    }
  }

  private void written(Site site, String key, Content content) {
    if (!key.startsWith(CLUSTERS)) {
      return;
    }
    Written before = objects.put(key, new Written(site, content.sha256()));
    boolean replaced =
        before != null && before.by() != site && !before.sha256().equals(content.sha256());
    Invariant.ONE_PRIMARY.require(
        !replaced || !key.contains(LOG) && !key.contains(OWNER) && owns(site),
        () -> site + " overwrote " + key + " of " + before.by());
    if (key.contains(OWNER)) {
      if (owner.isPresent() && owner.get() != site) {
        changes++;
      }
      owner = Optional.of(site);
      note.accept(site + " owns the store by " + key);
    }
  }

  /** Checks a deletion. A candidate forgets those servers that did not object to it. */
  private void deleted(Site site, String key, boolean ownedBefore) {
    Written before = objects.remove(key);
    Invariant.ACKNOWLEDGED_SURVIVES.require(
        before == null || before.by() == site || key.contains(OWNERS) || ownedBefore || owns(site),
        () -> site + " deleted " + key + " of " + before.by() + ", which owns the store");
  }

  private boolean owns(Site site) {
    return owner.equals(Optional.of(site));
  }
}
