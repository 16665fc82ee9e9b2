package io.uniserve.runtime.client.session;

import io.uniserve.kernel.Environment;
import io.uniserve.runtime.wire.OrderedMessage.Portion;
import io.uniserve.runtime.wire.OrderedMessage.ShortUpdate;
import io.uniserve.runtime.wire.OrderedMessage.SubmitShort;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The entries of a session that its send window cannot take yet, since they or others before them
 * go past the order: updates that take the short way (RB §6.6), and reads of marks that the log of
 * the controllers does not have. One of them, or some updates of one actor, is under way at a time.
 * For the holder of the session's lock.
 */
final class SessionLine {
  private static final long REQUEST_BYTES_MAX = 1L << 20;

  /**
   * One entry.
   *
   * @param mark takes the mark of a read; empty for an update, and for a read that has a place
   */
  private record Waiting(SessionEntry entry, long bytes, Optional<MarkTaker> mark) {}

  /** A taker of the mark of a read. */
  @FunctionalInterface
  interface MarkTaker {
    void take(Mark mark);
  }

  /** The need of the first entry of the line. */
  sealed interface Next {
    /** A place in the order. */
    record Place(SessionEntry entry, long bytes) implements Next {}

    /**
     * The short way.
     *
     * @param request the request
     * @param updates its updates
     */
    record Short(SubmitShort request, List<SessionEntry> updates) implements Next {}

    /**
     * An answer of its actors: it was sent on the short way, and has several actors since a split.
     *
     * @param recalled the update
     */
    record Outcome(OutcomeRecall.Recalled recalled) implements Next {}

    /**
     * A mark.
     *
     * @param actors the actors that are to be read
     * @param taker takes it
     */
    record ReadMark(SessionEntry entry, Collection<Integer> actors, MarkTaker taker)
        implements Next {}
  }

  private final Environment environment;
  private final boolean shortWay;
  private final Deque<Waiting> entries = new ArrayDeque<>();
  private final Hash name;
  private long lastSequence;
  private long bytes;
  private boolean underWay;

  /**
   * @param shortWay true if updates of one actor take the short way
   */
  SessionLine(Environment environment, boolean shortWay) {
    this.environment = environment;
    this.shortWay = shortWay;
    this.name = new Hash(environment.random().nextLong(), environment.random().nextLong());
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  int size() {
    return entries.size();
  }

  /** Returns the size of its updates. */
  long sizeBytes() {
    return bytes;
  }

  /** Returns whether an entry must wait here, as things are. */
  boolean takes(SessionEntry entry, TableState table) {
    return !entries.isEmpty() || goesShort(entry, table);
  }

  private boolean goesShort(SessionEntry entry, TableState table) {
    return shortWay && !entry.isRead() && entry.grouped(table).portions().size() == 1;
  }

  void add(SessionEntry entry, long entryBytes) {
    add(new Waiting(entry, entryBytes, Optional.empty()));
  }

  void addRead(SessionEntry entry, MarkTaker taker) {
    add(new Waiting(entry, 0, Optional.of(taker)));
  }

  private void add(Waiting waiting) {
    entries.add(waiting);
    bytes += waiting.bytes();
  }

  /**
   * Returns what the first entry needs, and takes it to be under way; empty if it has to wait. An
   * entry that needs a place leaves the line.
   *
   * @param stable tells whether all that was submitted before, and has left the line, is stable
   */
  Optional<Next> next(TableState table, BooleanSupplier stable, SessionSight sight) {
    if (underWay || entries.isEmpty()) {
      return Optional.empty();
    }
    Waiting first = entries.element();
    boolean placed = first.mark().isEmpty() && !goesShort(first.entry(), table);
    if (placed && first.entry().key().isEmpty()) {
      remove();
      return Optional.of(new Next.Place(first.entry(), first.bytes()));
    }
    if (!stable.getAsBoolean()) {
      return Optional.empty();
    }
    underWay = true;
    if (first.mark().isPresent()) {
      List<Integer> actors =
          first.entry().grouped(table).portions().stream().map(Portion::actor).toList();
      return Optional.of(new Next.ReadMark(first.entry(), actors, first.mark().get()));
    }
    if (placed) {
      Hash key = first.entry().key().orElseThrow().name();
      return Optional.of(new Next.Outcome(new OutcomeRecall.Recalled(0, key, first.entry())));
    }
    return Optional.of(request(table, sight));
  }

  private Next.Short request(TableState table, SessionSight sight) {
    Portion first = entries.element().entry().grouped(table).portions().getFirst();
    List<SessionEntry> taken = new ArrayList<>();
    List<ShortUpdate> updates = new ArrayList<>();
    long size = 0;
    for (Waiting next : entries) {
      size += next.bytes();
      boolean full =
          !taken.isEmpty() && (taken.size() == SubmitShort.UPDATES_MAX || size > REQUEST_BYTES_MAX);
      if (full || next.mark().isPresent() || !goesShort(next.entry(), table)) {
        break;
      }
      Portion portion = next.entry().grouped(table).portions().getFirst();
      if (portion.actor() != first.actor()) {
        break;
      }
      updates.add(
          new ShortUpdate(
              key(next.entry()), next.entry().grouped(table).function(), portion.records()));
      taken.add(next.entry());
    }
    return new Next.Short(
        new SubmitShort(table.actorId(first.actor()), first.generation(), sight.newest(), updates),
        taken);
  }

  private UpdateKey key(SessionEntry entry) {
    if (entry.key().isEmpty()) {
      entry.setKey(
          new UpdateKey(
              new Hash(name.high(), name.low() + ++lastSequence),
              environment.clock().now().toEpochMilli(),
              Hash.NONE));
    }
    return entry.key().orElseThrow();
  }

  /** Notes that what was under way has ended. */
  void ended() {
    underWay = false;
  }

  /** Notes that the first update was not applied on the short way, and never will be. */
  void forgetKey() {
    entries.element().entry().setKey(null);
  }

  /** Removes the first entry. */
  void remove() {
    bytes -= entries.remove().bytes();
  }

  /** Removes everything. */
  List<SessionEntry> clear() {
    List<SessionEntry> all = entries.stream().map(Waiting::entry).toList();
    entries.clear();
    bytes = 0;
    return all;
  }
}
