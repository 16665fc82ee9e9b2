package io.uniserve.runtime.client.context;

import io.uniserve.runtime.client.Token;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The newest version of each table that a client has seen or written. */
public final class SeenVersions {
  private final SortedMap<Long, Long> versions = new ConcurrentSkipListMap<>();

  public void saw(long table, long version) {
    versions.merge(table, version, Math::max);
  }

  public long versionOf(long table) {
    return versions.getOrDefault(table, 0L);
  }

  public Token token() {
    return new Token(versions);
  }
}
