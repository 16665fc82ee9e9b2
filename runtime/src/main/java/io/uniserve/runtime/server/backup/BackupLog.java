package io.uniserve.runtime.server.backup;

import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.store.backup.HistoryItem.Log;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.LogEntryCodec;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** The writer of a primary's log into the durable store. */
final class BackupLog {
  private static final int UPLOAD_BYTES_MAX = 8 << 20;

  /** The number of small log objects that are merged into one. */
  private static final int MERGE = 64;

  private static final int SMALL_BYTES_MAX = UPLOAD_BYTES_MAX / MERGE;

  private record Small(Log log, long bytes) {}

  private final ServerContext server;
  private final Replica replica;
  private final LogEntryCodec codec;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Small> small = new ArrayDeque<>();

  BackupLog(ServerContext server, Replica replica) {
    this.server = server;
    this.replica = replica;
    this.codec = server.engines().logEntries();
  }

  /**
   * Returns the log entries that the store lacks next; empty if the replica's own log does not
   * reach back so far.
   */
  Optional<List<LogEntry>> after(StoredReach reach) throws IOException {
    return replica.after(reach.epoch(), reach.end(), UPLOAD_BYTES_MAX);
  }

  /** Splits entries into runs of one epoch, since a log object holds one epoch only. */
  static List<List<LogEntry>> byEpoch(List<LogEntry> entries) {
    List<List<LogEntry>> runs = new ArrayList<>();
    long epoch = -1;
    for (LogEntry entry : entries) {
      if (entry.position().epoch() != epoch) {
        epoch = entry.position().epoch();
        runs.add(new ArrayList<>());
      }
      runs.getLast().add(entry);
    }
    return runs;
  }

  /** Stores entries of one epoch, which directly follow what the store has. */
  StoredReach append(StoredReach reach, List<LogEntry> entries) {
    List<ByteBuffer> encoded = entries.stream().map(codec::encode).toList();
    long bytes = encoded.stream().mapToLong(ByteBuffer::remaining).sum();
    Position last = entries.getLast().position();
    Log log = new Log(reach.epoch(), reach.end(), last, entries.getLast().timeMillis());
    server.backups().append(replica.target().place(), log, encoded);
    remember(log, bytes);
    return reach.logged(last, bytes);
  }

  private void remember(Log log, long bytes) {
    lock.lock();
    try {
      boolean next = small.isEmpty() || follows(small.getLast().log(), log);
      if (bytes > SMALL_BYTES_MAX || !next) {
        small.clear();
      }
      if (bytes <= SMALL_BYTES_MAX) {
        small.add(new Small(log, bytes));
      }
    } finally {
      lock.unlock();
    }
  }

  private static boolean follows(Log one, Log next) {
    return one.last().equals(next.after())
        && one.writer() == next.writer()
        && one.last().epoch() == next.last().epoch();
  }

  /** Merges small log objects into one, if there are many. */
  void mergeSmall() {
    List<Log> logs = takeSmall();
    if (!logs.isEmpty()) {
      server.backups().merge(replica.target().place(), logs);
    }
  }

  private List<Log> takeSmall() {
    lock.lock();
    try {
      if (small.size() < MERGE) {
        return List.of();
      }
      List<Log> logs = small.stream().map(Small::log).toList();
      small.clear();
      return logs;
    } finally {
      lock.unlock();
    }
  }
}
