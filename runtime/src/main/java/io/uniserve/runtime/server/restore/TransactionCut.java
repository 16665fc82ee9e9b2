package io.uniserve.runtime.server.restore;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The place where the logs of a table of transactions are cut, so that each transaction is restored
 * on all its actors or on none. The cut is before the first version that an actor committed after
 * the moment, or that an actor is known to have committed and its log lacks. If an actor's log ends
 * before the outcome of its last transaction, the actor has committed it if any other actor has.
 *
 * <p>The log of a synchronous table's actor may end before the moment although more follows: while
 * the store did not answer, the actor went on, and the store has that only in a later checkpoint.
 * Nothing of it had been acknowledged by the moment. The keys of that checkpoint tell which
 * transactions of other actors it is about.
 */
final class TransactionCut {
  /**
   * The stored past of one actor.
   *
   * @param generation the generation of its keys in the table that is to be restored
   * @param base the position where its log begins
   * @param version the version at that position
   * @param keys the names of the keys of the updates that the actor had applied by then
   * @param log the log from there to its end
   * @param bridge the later checkpoint with what follows the log, if the store has that only there
   * @param decided the last transaction that is known to have happened on it
   */
  record Line(
      int generation,
      Position base,
      long version,
      Set<Hash> keys,
      List<LogEntry> log,
      Optional<Bridge> bridge,
      Commitment decided) {
    /** Returns the same line with what is known of the last decision about its actor. */
    Line with(Commitment last) {
      return new Line(generation, base, version, keys, log, bridge, last);
    }

    /**
     * Returns the last preparation if the log ends with it, and nothing but the bridge knows its
     * outcome.
     */
    private Optional<LogEntry.Prepare> undecided(Map<String, Long> versions) {
      return log.isEmpty()
              || preparedLast()
              || !(log.getLast() instanceof LogEntry.Prepare prepare)
              || versions.containsKey(prepare.transaction())
          ? Optional.empty()
          : Optional.of(prepare);
    }

    /**
     * Returns the last version in the log. It may end with the preparation of a transaction whose
     * version is known elsewhere.
     *
     * @param versions the versions of transactions
     */
    private long had(Map<String, Long> versions) {
      long logged =
          log.stream()
              .filter(LogEntry.Commit.class::isInstance)
              .mapToLong(entry -> ((LogEntry.Commit) entry).version())
              .reduce(version, Math::max);
      if (!log.isEmpty() && log.getLast() instanceof LogEntry.Prepare prepare) {
        return Math.max(
            logged,
            preparedLast()
                ? decided.version()
                : versions.getOrDefault(prepare.transaction(), logged));
      }
      return logged;
    }

    /**
     * Returns whether the log has something later than a moment, and so everything up to it: times
     * never go back along a log. It is read no further, so what it lacks is no sign.
     */
    private boolean isBeyond(long millis) {
      return log.stream().anyMatch(entry -> entry.timeMillis() > millis);
    }

    /** Returns whether the log ends with the preparation of the decided transaction. */
    private boolean preparedLast() {
      return !log.isEmpty()
          && log.getLast() instanceof LogEntry.Prepare prepare
          && prepare.transaction().equals(decided.transaction());
    }
  }

  /**
   * The checkpoint that has what follows a log.
   *
   * @param keys the names of the keys of the updates that it has, and that are not before it
   * @param keptSince the time, in milliseconds since 1970, since which it has all of them
   */
  record Bridge(Set<Hash> keys, long keptSince) {
    private boolean has(LogEntry.Prepare prepare) {
      return hasOneOf(keys, prepare);
    }
  }

  /** Returns whether keys have that of an update of a transaction, and so those of all of them. */
  private static boolean hasOneOf(Set<Hash> keys, LogEntry.Prepare prepare) {
    return prepare.members().stream().anyMatch(member -> keys.contains(member.key().name()));
  }

  private final List<Line> lines;
  private final long millis;
  private final Set<String> committed = new LinkedHashSet<>();

  /** The transactions that an actor has committed only behind a bridge. */
  private final Set<String> passedOver = new LinkedHashSet<>();

  private final Map<String, LogEntry.Prepare> prepared = new LinkedHashMap<>();

  /** The versions of the transactions whose commits are in the logs. */
  private final Map<String, Long> versions = new LinkedHashMap<>();

  private boolean bridged;
  private long end;

  /**
   * @param lines the lines of all actors
   * @param millis the moment
   * @param end a version that is to be left out, and all after it
   */
  TransactionCut(List<Line> lines, long millis, long end) {
    this.lines = lines;
    this.millis = millis;
    this.end = end;
    for (Line line : lines) {
      for (LogEntry entry : line.log()) {
        if (entry instanceof LogEntry.Prepare prepare) {
          prepared.put(prepare.transaction(), prepare);
        }
        if (entry instanceof LogEntry.Commit commit) {
          versions.put(commit.transaction(), commit.version());
          this.end = commit.timeMillis() > millis ? Math.min(this.end, commit.version()) : this.end;
        }
      }
    }
    for (Line line : lines) {
      long had = line.had(versions);
      if (line.bridge().isPresent()) {
        lookBehind(line.bridge().get(), had);
        bridged |= isUnclear(line);
      } else if (line.decided().version() > had && !line.isBeyond(millis)) {
        this.end = Math.min(this.end, had + 1);
      }
      if (line.preparedLast() && line.decided().timeMillis() > millis) {
        this.end = Math.min(this.end, line.decided().version());
      }
    }
    for (Line line : lines) {
      line.log().stream().filter(this::isIncluded).forEach(this::remember);
      if (line.preparedLast() && line.decided().version() < this.end) {
        committed.add(line.decided().transaction());
      }
    }
  }

  /** Returns the first version that is left out. */
  long end() {
    return end;
  }

  /**
   * Moves the cut before the first transaction that an actor has committed only behind a bridge.
   *
   * @param had the last version before the bridge
   */
  private void lookBehind(Bridge bridge, long had) {
    for (Line line : lines) {
      if (line.version() > had && !Collections.disjoint(line.keys(), bridge.keys())) {
        // The log of that actor has to begin earlier, so that the transaction is found in it.
        bridged = true;
        end = Math.min(end, line.version());
      }
      for (LogEntry entry : line.log()) {
        if (entry instanceof LogEntry.Commit commit
            && commit.version() > had
            && commit.timeMillis() <= millis) {
          LogEntry.Prepare prepare = prepared.get(commit.transaction());
          boolean has = prepare != null && bridge.has(prepare);
          boolean unknown = prepare == null || commit.timeMillis() < bridge.keptSince();
          if (has) {
            passedOver.add(commit.transaction());
          }
          if (has || unknown) {
            bridged = true;
            end = Math.min(end, commit.version());
          }
        }
      }
    }
  }

  /**
   * Returns whether something is left out that may have been acknowledged by the moment. A
   * transaction that an actor has only behind a bridge had not been.
   */
  boolean leavesOut() {
    return lines.stream().anyMatch(this::leavesOut);
  }

  private boolean leavesOut(Line line) {
    Position last = cut(line).last();
    return isUnclear(line)
        || line.log().stream()
            .filter(entry -> entry.timeMillis() <= millis)
            .filter(entry -> entry.position().compareTo(last) > 0)
            .anyMatch(
                entry ->
                    entry instanceof LogEntry.Update
                        || entry instanceof LogEntry.Commit commit
                            && !passedOver.contains(commit.transaction()));
  }

  /**
   * Returns whether a log ends with the preparation of a transaction that happened, while only its
   * bridge tells so: it may have been acknowledged by the moment, or decided after it.
   */
  private boolean isUnclear(Line line) {
    return line.bridge().stream()
        .anyMatch(bridge -> line.undecided(versions).filter(bridge::has).isPresent());
  }

  /** Returns whether the store will never have what is left out as of the moment. */
  boolean isBridged() {
    return bridged;
  }

  private boolean isIncluded(LogEntry entry) {
    return entry instanceof LogEntry.Commit commit && commit.version() < end;
  }

  private void remember(LogEntry entry) {
    if (entry instanceof LogEntry.Commit commit) {
      committed.add(commit.transaction());
    }
  }

  /** Returns the last position of each actor. */
  List<Cut> cuts() {
    return lines.stream().map(this::cut).toList();
  }

  private Cut cut(Line line) {
    List<LogEntry> log = line.log();
    Cut cut = new Cut(line.base(), false);
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
          if (retain.timeMillis() > millis || retain.generation() > line.generation()) {
            return cut;
          }
          cut = new Cut(retain.position(), false);
        }
        case LogEntry.Ordered ordered -> throw noTransaction(ordered);
        case LogEntry.Passed passed -> throw noTransaction(passed);
        case LogEntry.Marked marked -> throw noTransaction(marked);
        case LogEntry.Declined declined -> throw noTransaction(declined);
        case LogEntry.Abort abort -> cut = new Cut(abort.position(), false);
        case LogEntry.Prepare prepare -> {
          boolean last = prepare == log.getLast();
          if (last && (committed.contains(prepare.transaction()) || isCommittedEarlier(prepare))) {
            cut = new Cut(prepare.position(), true);
          }
        }
      }
    }
    return cut;
  }

  /** Returns whether a transaction was committed before one of the logs begins. */
  private boolean isCommittedEarlier(LogEntry.Prepare prepare) {
    return lines.stream().anyMatch(line -> hasOneOf(line.keys(), prepare));
  }

  private static UniserveException noTransaction(LogEntry entry) {
    return new UniserveException(
        ErrorCode.CORRUPT, "the log of a table of transactions has " + entry);
  }
}
