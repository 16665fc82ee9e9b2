package io.uniserve.runtime.client;

import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The newest version of each table that a client has seen or written. */
final class SeenVersions {
  private final SortedMap<Long, Long> versions = new ConcurrentSkipListMap<>();

  void saw(long table, long version) {
    versions.merge(table, version, Math::max);
  }

  long versionOf(long table) {
    return versions.getOrDefault(table, 0L);
  }

  Token token() {
    return new Token(versions);
  }
}
