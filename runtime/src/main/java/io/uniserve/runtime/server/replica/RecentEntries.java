package io.uniserve.runtime.server.replica;

import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The newest entries of a log as objects, so that followers that keep up need no disk. */
final class RecentEntries {
  private static final int COUNT_MAX = 512;
  private static final int BYTES_MAX = 1 << 20;

  private record Recent(LogEntry entry, int sizeBytes) {
    long sequence() {
      return entry.position().sequence();
    }
  }

  private final ArrayDeque<Recent> entries = new ArrayDeque<>();
  private long bytes;

  void add(LogEntry entry, int sizeBytes) {
    entries.add(new Recent(entry, sizeBytes));
    bytes += sizeBytes;
    while (entries.size() > COUNT_MAX || bytes > BYTES_MAX) {
      bytes -= entries.remove().sizeBytes();
    }
  }

  /** Forgets an entry if it is the newest. */
  void removeLast(Position position) {
    if (!entries.isEmpty() && entries.getLast().entry().position().equals(position)) {
      bytes -= entries.removeLast().sizeBytes();
    }
  }

  /** Returns whether all entries after this position are here, and at least one. */
  boolean reachBackTo(Position position) {
    return !entries.isEmpty() && entries.getFirst().sequence() <= position.sequence() + 1;
  }

  /** Returns the entries after a position, up to a number of bytes, but at least one. */
  List<LogEntry> after(Position position, int bytesMax) {
    List<LogEntry> after = new ArrayList<>();
    long size = 0;
    for (Recent recent : entries) {
      if (recent.sequence() > position.sequence()) {
        size += recent.sizeBytes();
        if (!after.isEmpty() && size > bytesMax) {
          return after;
        }
        after.add(recent.entry());
      }
    }
    return after;
  }
}
