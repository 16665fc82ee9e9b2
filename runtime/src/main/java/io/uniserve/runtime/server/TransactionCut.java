package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.runtime.wire.LogEntry;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Where to cut the logs of a table of transactions so that each transaction is there on all its
 * actors or on none: before the first version that any actor committed after the moment. An actor
 * whose log ends before it says what became of its last transaction has committed it if any other
 * actor has.
 */
final class TransactionCut {
  private final List<List<LogEntry>> logs;
  private final long millis;
  private final Predicate<LogEntry.Prepare> committedEarlier;
  private final Set<String> committed = new LinkedHashSet<>();
  private long versionsEnd = Long.MAX_VALUE;

  /**
   * @param logs of all actors, each from where its restore begins to its end
   * @param millis the moment
   * @param committedEarlier whether a transaction was committed before one of the logs begins
   */
  TransactionCut(
      List<List<LogEntry>> logs, long millis, Predicate<LogEntry.Prepare> committedEarlier) {
    this.logs = logs;
    this.millis = millis;
    this.committedEarlier = committedEarlier;
    for (List<LogEntry> log : logs) {
      for (LogEntry entry : log) {
        if (entry instanceof LogEntry.Commit commit && commit.timeMillis() > millis) {
          versionsEnd = Math.min(versionsEnd, commit.version());
        }
      }
    }
    logs.forEach(log -> log.stream().filter(this::isIncluded).forEach(this::remember));
  }

  private boolean isIncluded(LogEntry entry) {
    return entry instanceof LogEntry.Commit commit && commit.version() < versionsEnd;
  }

  private void remember(LogEntry entry) {
    if (entry instanceof LogEntry.Commit commit) {
      committed.add(commit.transaction());
    }
  }

  /**
   * The last position of each actor.
   *
   * @param bases where their logs begin
   */
  List<Cut> of(List<Position> bases) {
    List<Cut> cuts = new ArrayList<>();
    for (int actor = 0; actor < logs.size(); actor++) {
      cuts.add(of(bases.get(actor), logs.get(actor)));
    }
    return cuts;
  }

  private Cut of(Position base, List<LogEntry> log) {
    Cut cut = new Cut(base, false);
    for (LogEntry entry : log) {
      switch (entry) {
        case LogEntry.Update update -> {
          if (update.timeMillis() > millis) {
            return cut;
          }
          cut = new Cut(update.position(), false);
        }
        case LogEntry.Commit commit -> {
          if (!isIncluded(commit)) {
            return cut;
          }
          cut = new Cut(commit.position(), false);
        }
        case LogEntry.Retain retain -> {
          if (retain.timeMillis() > millis) {
            return cut;
          }
          cut = new Cut(retain.position(), false);
        }
        case LogEntry.Ordered ordered -> throw noTransaction(ordered);
        case LogEntry.Passed passed -> throw noTransaction(passed);
        case LogEntry.Abort abort -> cut = new Cut(abort.position(), false);
        case LogEntry.Prepare prepare -> {
          boolean last = prepare == log.getLast();
          if (last
              && (committed.contains(prepare.transaction()) || committedEarlier.test(prepare))) {
            cut = new Cut(prepare.position(), true);
          }
        }
      }
    }
    return cut;
  }

  private static UniserveException noTransaction(LogEntry entry) {
    return new UniserveException(
        ErrorCode.CORRUPT, "the log of a table of transactions has " + entry);
  }
}
