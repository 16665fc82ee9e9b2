package io.uniserve.runtime.client.session;

import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.wire.OrderedMessage.SequenceRange;
import io.uniserve.runtime.wire.OrderedMessage.SessionUpdate;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Hash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The send window of a session (RB §5.4): its updates without an outcome, in the order of their
 * sequence, and what of them is under way. For the holder of the session's lock.
 */
final class SendWindow {
  /** The number of requests that may be under way. */
  private static final int REQUESTS_MAX = 4;

  private static final int REQUEST_UPDATES_MAX = 1_000;
  private static final long REQUEST_BYTES_MAX = 1L << 20;

  private record Open(SessionEntry entry, long bytes) {}

  private final Environment environment;
  private final SessionOptions options;
  private final CongestionWindow congestion;
  private final NavigableMap<Long, Open> open = new TreeMap<>();
  private final Set<Submission> requests = new LinkedHashSet<>();
  private Hash name = Hash.NONE;
  private long bornMillis;
  private long usedNanos;
  private long lastSequence;
  private long requestsSent;
  private long bytes;

  /** The sequence number up to which everything was sent, since it was last sent again. */
  private long sent;

  /** The number of open updates up to that number. */
  private int underWay;

  /** False if it is known that no update is to be asked for, so that submitting looks at none. */
  private boolean mayAwait;

  SendWindow(Environment environment, SessionOptions options) {
    this.environment = environment;
    this.options = options;
    this.congestion = new CongestionWindow(options.updatesMax());
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  int size() {
    return open.size();
  }

  Hash name() {
    return name;
  }

  /** Returns the name of an update's key, as the controllers make it. */
  Hash keyName(long sequence) {
    return new Hash(name.high(), name.low() + sequence);
  }

  /** Returns the size of its updates. */
  long sizeBytes() {
    return bytes;
  }

  /** Returns whether all of its updates are known to have places. */
  boolean isStable() {
    return open.values().stream().allMatch(update -> update.entry().stable());
  }

  /** Begins anew under another name if there was no update for long. */
  void renewIfIdle(Duration idleMax) {
    boolean idle = environment.clock().nanos() - usedNanos > idleMax.toNanos();
    if (name.equals(Hash.NONE) || idle) {
      name = new Hash(environment.random().nextLong(), environment.random().nextLong());
      bornMillis = environment.clock().now().toEpochMilli();
      lastSequence = 0;
      sent = 0;
      requests.clear();
    }
  }

  void add(SessionEntry entry, long entryBytes) {
    usedNanos = environment.clock().nanos();
    open.put(++lastSequence, new Open(entry, entryBytes));
    bytes += entryBytes;
  }

  /** Returns the next request to be sent, if there is one. */
  Optional<Submission> next(TableState table) {
    if (requests.size() >= REQUESTS_MAX || sent == lastSequence) {
      return Optional.empty();
    }
    List<SessionUpdate> updates = new ArrayList<>();
    long first = 0;
    long size = 0;
    for (var next : open.tailMap(sent, false).entrySet()) {
      size += next.getValue().bytes();
      boolean full = updates.size() >= REQUEST_UPDATES_MAX || size > REQUEST_BYTES_MAX;
      boolean gap = !updates.isEmpty() && next.getKey() != first + updates.size();
      if (underWay >= congestion.size() || full && !updates.isEmpty() || gap) {
        break;
      }
      first = updates.isEmpty() ? next.getKey() : first;
      updates.add(next.getValue().entry().grouped(table));
      underWay++;
    }
    if (updates.isEmpty()) {
      return Optional.empty();
    }
    sent = first + updates.size() - 1;
    Submission request = new Submission(++requestsSent, name, bornMillis, first, updates);
    requests.add(request);
    return Optional.of(request);
  }

  /** Ends a request; returns false if its updates were to be sent again before. */
  boolean ended(Submission request) {
    return requests.remove(request);
  }

  /** Notes the places of updates; returns what tells those who submitted them. */
  List<Runnable> stable(Submission request, List<Long> numbers) {
    List<Runnable> news = new ArrayList<>();
    if (!request.session().equals(name)) {
      return news;
    }
    for (int i = 0; i < numbers.size(); i++) {
      Open update = open.get(request.first() + i);
      if (update != null && !update.entry().stable()) {
        long number = numbers.get(i);
        update.entry().setStable();
        mayAwait = true;
        news.add(() -> update.entry().receipt().stable().complete(number));
      }
    }
    return news;
  }

  /**
   * Has everything sent again that is not known to have a place.
   *
   * @param congested true if the coordinator had no room
   */
  void sendAgain(boolean congested) {
    requests.clear();
    long from = sent;
    int before = 0;
    for (var update : open.headMap(sent, true).entrySet()) {
      if (!update.getValue().entry().stable()) {
        from = update.getKey() - 1;
        break;
      }
      before++;
    }
    underWay = before;
    sent = from;
    if (congested) {
      congestion.congested();
    }
  }

  /** Returns the numbers of updates whose outcomes are to be asked for. */
  List<SequenceRange> awaited() {
    List<SequenceRange> ranges = new ArrayList<>();
    if (!mayAwait) {
      return ranges;
    }
    long first = 0;
    long last = -1;
    for (var update : open.entrySet()) {
      SessionEntry entry = update.getValue().entry();
      if (entry.stable() && !entry.recalled()) {
        if (update.getKey() != last + 1) {
          if (last > 0) {
            ranges.add(new SequenceRange(first, last));
          }
          first = update.getKey();
        }
        last = update.getKey();
      }
    }
    if (last > 0) {
      ranges.add(new SequenceRange(first, last));
    }
    mayAwait = !ranges.isEmpty();
    return ranges;
  }

  /** Removes an update that has an outcome. */
  Optional<SessionEntry> applied(long sequence) {
    Open removed = open.remove(sequence);
    if (removed == null) {
      return Optional.empty();
    }
    bytes -= removed.bytes();
    underWay -= sequence <= sent ? 1 : 0;
    congestion.answered(1);
    return Optional.of(removed.entry());
  }

  /** Notes that an update's actors are asked for its outcome. */
  Optional<SessionEntry> recalled(long sequence) {
    Optional<SessionEntry> entry =
        Optional.ofNullable(open.get(sequence)).map(Open::entry).filter(now -> !now.recalled());
    entry.ifPresent(now -> now.setRecalled(true));
    return entry;
  }

  /** Has an update's outcome asked for again. */
  void recallAgain(long sequence) {
    Optional.ofNullable(open.get(sequence)).ifPresent(update -> update.entry().setRecalled(false));
    mayAwait = true;
  }

  /** Removes everything. */
  List<SessionEntry> clear() {
    List<SessionEntry> all = open.values().stream().map(Open::entry).toList();
    open.clear();
    requests.clear();
    bytes = 0;
    underWay = 0;
    return all;
  }
}
