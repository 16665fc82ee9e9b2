package io.uniserve.runtime.client.session;

import io.uniserve.runtime.client.context.SeenVersions;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.util.Optional;

/**
 * The newest item of its table's order that a session has heard of: an update or read, by its
 * place, or a mark. What it sends on the short way comes after that. It begins with what former
 * sessions of the same client have heard of. For the holder of the session's lock.
 */
final class SessionSight {
  private final SeenVersions client;
  private final long table;
  private Mark newest;

  /** True if it has heard of an item whose place it was not told. */
  private boolean unclear;

  /**
   * @param client the items that the sessions of the client have heard of
   * @param table the table's identity
   */
  SessionSight(SeenVersions client, long table) {
    this.client = client;
    this.table = table;
    Optional<Mark> before = client.itemOf(table);
    this.newest = before.orElse(Mark.NONE);
    this.unclear = before.isEmpty();
  }

  /** Returns the item; empty if there may be a newer one, whose place it was not told. */
  Optional<Mark> newest() {
    return unclear ? Optional.empty() : Optional.of(newest);
  }

  /** Notes an update or read that has a place; 0 if the session was not told which. */
  void sawPlace(long number) {
    unclear |= number == 0;
    saw(Mark.ofPlace(number));
  }

  /** Notes an item that comes after all that the session has heard of. */
  void sawLater(Mark item) {
    unclear = false;
    saw(item);
  }

  private void saw(Mark item) {
    newest = item.compareTo(newest) > 0 ? item : newest;
    client.sawItem(table, newest());
  }
}
