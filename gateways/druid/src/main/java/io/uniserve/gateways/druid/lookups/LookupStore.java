package io.uniserve.gateways.druid.lookups;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.OlapPlanner;
import io.uniserve.engines.olap.ReplaceInterval;
import io.uniserve.engines.olap.lookup.Lookup;
import io.uniserve.engines.olap.lookup.StoredLookups;
import io.uniserve.engines.olap.query.DruidClient;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The lookups of a cluster, in a table that is made for the first one. */
final class LookupStore {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final UniserveClient client;
  private final DruidClient druid;

  LookupStore(UniserveClient client, DruidClient druid) {
    this.client = client;
    this.druid = druid;
  }

  /** Returns all lookups by name. */
  Map<String, Lookup> all() {
    Map<String, Lookup> all = new TreeMap<>();
    druid.lookups().forEach(each -> all.put(each.name(), each));
    return all;
  }

  /**
   * Checks that a lookup may be stored.
   *
   * @throws UniserveException if it is not later than the one that it replaces
   */
  static void check(Lookup lookup, Map<String, Lookup> all) {
    StoredLookups.row(lookup);
    Lookup former = all.get(lookup.name());
    if (former != null
        && !former.equals(lookup)
        && lookup.version().compareTo(former.version()) <= 0) {
      throw UniserveException.invalid(
          "lookup '"
              + lookup.name()
              + "' has version '"
              + former.version()
              + "', and '"
              + lookup.version()
              + "' is not after it in the order of text");
    }
    for (Lookup other : all.values()) {
      if (!other.name().equals(lookup.name()) && time(other.name()) == time(lookup.name())) {
        throw new UniserveException(
            ErrorCode.ALREADY_EXISTS,
            "lookups '"
                + lookup.name()
                + "' and '"
                + other.name()
                + "' cannot be told apart by their hashes: choose another name");
      }
    }
  }

  private static long time(String name) {
    return StoredLookups.timeMillis(name);
  }

  /** Stores a lookup on all copies, in place of the one of its name. */
  void put(Lookup lookup) {
    if (client.table(StoredLookups.NAME).isEmpty()) {
      client.createTable(StoredLookups.definition(), TIMEOUT);
    }
    client.update(
        StoredLookups.NAME,
        replacing(lookup.name()),
        new OlapPlanner().records(StoredLookups.definition(), List.of(StoredLookups.row(lookup))),
        UpdateOptions.ALL_COPIES);
  }

  /** Deletes a lookup. */
  void delete(String name) {
    client.updateAll(StoredLookups.NAME, replacing(name), UpdateOptions.ALL_COPIES);
  }

  private static ReplaceInterval replacing(String name) {
    return new ReplaceInterval(time(name), time(name) + 1);
  }
}
