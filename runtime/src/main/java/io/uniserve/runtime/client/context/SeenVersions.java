package io.uniserve.runtime.client.context;

import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The newest version of each table that a client has seen or written, and the newest item of the
 * order of each ordered table that its sessions have heard of.
 */
public final class SeenVersions {
  private final SortedMap<Long, Long> versions = new ConcurrentSkipListMap<>();

  /** The items; empty if there may be a newer one, whose place was not told. */
  private final SortedMap<Long, Optional<Mark>> items = new ConcurrentSkipListMap<>();

  public void saw(long table, long version) {
    versions.merge(table, version, Math::max);
  }

  public long versionOf(long table) {
    return versions.getOrDefault(table, 0L);
  }

  /**
   * Notes that a session has heard of an item of a table's order.
   *
   * @param item the item; empty if its place was not told
   */
  public void sawItem(long table, Optional<Mark> item) {
    items.merge(
        table,
        item,
        (before, now) ->
            before.isEmpty() || now.isEmpty()
                ? Optional.empty()
                : Optional.of(before.get().compareTo(now.get()) > 0 ? before.get() : now.get()));
  }

  /**
   * Returns the newest item of a table's order that a session has heard of; empty if there may be a
   * newer one, whose place was not told.
   */
  public Optional<Mark> itemOf(long table) {
    return items.getOrDefault(table, Optional.of(Mark.NONE));
  }

  public Token token() {
    return new Token(versions);
  }
}
