package io.uniserve.runtime.server.restore;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.store.backup.BackupPlace;
import io.uniserve.runtime.store.backup.History.Piece;
import io.uniserve.runtime.store.backup.HistoryItem.Checkpoint;
import io.uniserve.runtime.wire.BackupMessage.PlanRecovery;
import io.uniserve.runtime.wire.BackupMessage.PlanRestore;
import io.uniserve.runtime.wire.BackupMessage.RecoveryPlan;
import io.uniserve.runtime.wire.BackupMessage.RestorePlan;
import io.uniserve.runtime.wire.BackupMessage.RestorePlan.Planned;
import io.uniserve.runtime.wire.BackupMessage.StoredTable;
import io.uniserve.runtime.wire.OrderedMessage.PlacedUpdates;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.LogEntryCodec;
import io.uniserve.runtime.wire.entry.Position;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The plan to restore tables as of one moment. Of every actor it takes the updates that its primary
 * accepted up to that moment, by the primary's clock. So if an update is part of it, so is every
 * update that was acknowledged before that one was sent, unless the clocks of their primaries
 * differ by more than the time between. Each transaction is restored wholly or not at all, see
 * {@link TransactionPlanner}. An ordered table is restored up to one update, see {@link
 * OrderPlanner}.
 */
public final class RestorePlanner {
  /** The time for which updates may come to the store that were placed before a restore. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final Duration PAUSE = Duration.ofMillis(300);

  /** An order of which nothing is known but what the store has. */
  private static final PlacedUpdates UNKNOWN = new PlacedUpdates(Long.MAX_VALUE, List.of());

  private final ServerContext server;
  private final Decided decisions;
  private final LogEntryCodec codec;

  /** The decisions of this server's cluster, as of each call. */
  public interface Decided {
    /** Returns a state with everything that was decided before. */
    ClusterState state();

    /** Returns the end of an ordered table's order. */
    PlacedUpdates placed(long table);
  }

  public RestorePlanner(ServerContext server, Decided decisions) {
    this.server = server;
    this.decisions = decisions;
    this.codec = server.engines().logEntries();
  }

  /**
   * Plans a restore.
   *
   * @param cluster the cluster whose tables are meant by their names, if it has such
   */
  public RestorePlan plan(String cluster, PlanRestore request) {
    List<StoredTable> known =
        server.backups().catalog().tables(request.asOfMillis().orElse(Long.MAX_VALUE));
    request.asOfMillis().ifPresent(this::requirePast);
    List<Planned> planned = new ArrayList<>();
    for (String name : request.tables()) {
      StoredTable table = find(name, cluster, known, request.asOfMillis());
      request.asOfMillis().ifPresent(moment -> requireRetained(table, moment));
      planned.add(planned(table, request.asOfMillis().orElse(Long.MAX_VALUE), cluster));
    }
    return new RestorePlan(planned);
  }

  /**
   * Plans how a table continues whose copies are lost, with all that the store has. A table that
   * was restored and is not wholly in the store yet continues with what it was restored from. So
   * does one whose actors began to be stored at places so far apart that the store does not have
   * all of them at one.
   *
   * @param cluster the table's
   */
  public RecoveryPlan plan(String cluster, PlanRecovery request) {
    List<StoredTable> known = server.backups().catalog().tables(Long.MAX_VALUE);
    Optional<StoredTable> own =
        known.stream()
            .filter(table -> table.cluster().equals(cluster) && table.id() == request.table())
            .findFirst();
    if (request.origin().isPresent() && own.filter(this::isWhole).isEmpty()) {
      return ofOrigin(known, own, request.origin().get());
    }
    StoredTable table =
        own.orElseThrow(
            () ->
                new UniserveException(
                    ErrorCode.NOT_FOUND, "the durable store has no table " + request.table()));
    try {
      Planned planned = recovered(table, request);
      return new RecoveryPlan(
          planned.definition(), planned.origin(), untilMillis(table, planned.origin().cut()));
    } catch (NoBaseException e) {
      if (request.origin().isEmpty() || !isStoredFromItsBeginning(table)) {
        throw e;
      }
      return ofOrigin(known, own, request.origin().get());
    }
  }

  /**
   * Returns whether the store still has everything that it ever had of a table. Of an older one it
   * may have had what is missing now, and the origin is a distant past.
   */
  private boolean isStoredFromItsBeginning(StoredTable table) {
    return Instant.ofEpochMilli(table.createdMillis())
        .plus(table.definition().retention())
        .isAfter(server.environment().clock().now());
  }

  /** Returns whether each actor can be made of what the store has of the table itself. */
  private boolean isWhole(StoredTable table) {
    return pasts(table, Long.MAX_VALUE).allMatch(past -> past.history().hasBase());
  }

  /**
   * Returns the plan of a table that continues with its origin. The actors of an eventual table are
   * loaded one by one, so those that the store has of the table itself count by that.
   */
  private RecoveryPlan ofOrigin(
      List<StoredTable> known, Optional<StoredTable> own, TableOrigin origin) {
    StoredTable former =
        known.stream()
            .filter(table -> table.cluster().equals(origin.cluster()))
            .filter(table -> table.id() == origin.table())
            .findFirst()
            .orElseThrow(
                () ->
                    new UniserveException(
                        ErrorCode.NOT_FOUND,
                        "the durable store has no table " + origin.table() + ", the origin"));
    List<Cut> cuts = new ArrayList<>(origin.cut());
    List<Long> untilMillis = new ArrayList<>(untilMillis(former, cuts));
    own.filter(table -> table.definition().consistency() == Consistency.EVENTUAL)
        .ifPresent(table -> addStored(table, cuts, untilMillis));
    return new RecoveryPlan(
        former.definition(), new TableOrigin(origin.cluster(), origin.table(), cuts), untilMillis);
  }

  /** Adds what the store has of the actors of a table itself, also of those that were split off. */
  private void addStored(StoredTable table, List<Cut> cuts, List<Long> untilMillis) {
    while (cuts.size() < table.definition().actors()) {
      cuts.add(new Cut(Position.START, false));
      untilMillis.add(0L);
    }
    pasts(table, Long.MAX_VALUE)
        .filter(past -> past.history().hasBase())
        .forEach(
            past -> {
              int number = past.place().actor().number();
              Position end = past.history().end();
              cuts.set(number, new Cut(end, false));
              untilMillis.set(number, millisOf(past.around(end), end));
            });
  }

  /**
   * Returns the time up to which the data of each actor is there; of a table of versions, the time
   * of its last commit, as far as the store tells.
   */
  private List<Long> untilMillis(StoredTable table, List<Cut> cuts) {
    List<Long> untilMillis = new ArrayList<>();
    for (int number = 0; number < cuts.size(); number++) {
      Position last = cuts.get(number).last();
      untilMillis.add(
          last.equals(Position.START)
              ? 0
              : untilMillis(table, past(table, number, Long.MAX_VALUE).around(last), last));
    }
    return untilMillis;
  }

  private static long untilMillis(StoredTable table, StoredPast past, Position last) {
    return table.definition().consistency() == Consistency.SNAPSHOT
        ? past.lastCommitMillis(last)
        : millisOf(past, last);
  }

  /** Returns the time of the update at a position. */
  private static long millisOf(StoredPast past, Position last) {
    Optional<Checkpoint> base =
        past.base(checkpoint -> checkpoint.position().sequence() <= last.sequence());
    return past.entriesToGap(base.map(Checkpoint::position).orElse(Position.START)).stream()
        .filter(entry -> entry.position().sequence() <= last.sequence())
        .mapToLong(LogEntry::timeMillis)
        .reduce(base.map(checkpoint -> past.meta(checkpoint).timeMillis()).orElse(0L), Math::max);
  }

  private void requirePast(long millis) {
    if (millis > server.environment().clock().now().toEpochMilli()) {
      throw UniserveException.invalid(
          "nothing can be restored as of "
              + Instant.ofEpochMilli(millis)
              + ", which is in the future");
    }
  }

  private void requireRetained(StoredTable table, long millis) {
    Duration retention = table.definition().retention();
    Instant earliest = server.environment().clock().now().minus(retention);
    if (Instant.ofEpochMilli(millis).isBefore(earliest)) {
      throw UniserveException.invalid(
          "table '"
              + table.definition().name()
              + "' is kept for "
              + retention
              + " and cannot be restored as of "
              + Instant.ofEpochMilli(millis));
    }
  }

  /**
   * Finds the table of a name. Of several, it takes the one that existed at the moment, or else the
   * newest.
   */
  private static StoredTable find(
      String name, String cluster, List<StoredTable> known, Optional<Long> asOfMillis) {
    List<StoredTable> named =
        known.stream()
            .filter(
                table ->
                    table.definition().name().equals(name)
                        || (table.cluster() + "/" + table.id()).equals(name))
            .toList();
    Comparator<StoredTable> preference =
        Comparator.comparing((StoredTable table) -> existed(table, asOfMillis))
            .thenComparing(table -> table.cluster().equals(cluster))
            .thenComparing(StoredTable::createdMillis)
            .thenComparing(StoredTable::id);
    return named.stream()
        .max(preference)
        .orElseThrow(
            () ->
                new UniserveException(
                    ErrorCode.NOT_FOUND, "the durable store has no table '" + name + "'"));
  }

  private static boolean existed(StoredTable table, Optional<Long> asOfMillis) {
    return asOfMillis.isEmpty()
        || table.createdMillis() <= asOfMillis.get()
            && table.droppedMillis().orElse(Long.MAX_VALUE) > asOfMillis.get();
  }

  /**
   * @param cluster the cluster of this server
   */
  private Planned planned(StoredTable table, long millis, String cluster) {
    return switch (table.definition().consistency()) {
      case EVENTUAL -> whole(table.definition(), origin(table, timeCut(table, millis)));
      case SERIALIZABLE, SNAPSHOT ->
          transactions(
              table,
              TransactionPlanner.plan(
                  table.definition().name(),
                  table.definition().partitioner(),
                  millis,
                  () -> decided(table, cluster),
                  number -> past(table, number, millis)));
      case ORDERED -> ordered(table, millis, cluster);
    };
  }

  private Planned recovered(StoredTable table, PlanRecovery request) {
    TableDefinition definition = table.definition();
    return switch (definition.consistency()) {
      case EVENTUAL -> whole(definition, origin(table, timeCut(table, Long.MAX_VALUE)));
      case SERIALIZABLE, SNAPSHOT ->
          transactions(
              table,
              TransactionPlanner.recover(
                  definition.name(),
                  definition.partitioner(),
                  request::decided,
                  number -> past(table, number, Long.MAX_VALUE)));
      case ORDERED ->
          ordered(
              table,
              OrderPlanner.recover(
                  definition.partitioner(),
                  request.placed(),
                  number -> past(table, number, Long.MAX_VALUE)));
    };
  }

  private static Planned transactions(StoredTable table, TransactionPlanner.Planned planned) {
    return whole(
        table.definition().withPartitioner(planned.shape()), origin(table, planned.cuts()));
  }

  /**
   * Plans the restore of an ordered table. If the table goes on, the store may lack on one actor
   * what it has on others from later on. It is waited for if nobody has asked for a moment, since
   * much may be left out for it.
   */
  private Planned ordered(StoredTable table, long millis, String cluster) {
    Partitioner shape = table.definition().partitioner();
    PlacedUpdates placed = placed(table, cluster);
    Clock clock = server.environment().clock();
    Deadline patience = Deadline.after(clock, PATIENCE);
    while (true) {
      OrderPlanner.Planned order =
          OrderPlanner.plan(shape, millis, placed, number -> past(table, number, millis));
      boolean complete = order.leftOut().isEmpty() || placed.equals(UNKNOWN);
      if (complete || millis != Long.MAX_VALUE || patience.expired(clock)) {
        return ordered(table, order);
      }
      pause(clock);
    }
  }

  private static void pause(Clock clock) {
    try {
      clock.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "the planning of a restore was interrupted");
    }
  }

  private static Planned ordered(StoredTable table, OrderPlanner.Planned order) {
    return new Planned(
        table.definition().withPartitioner(order.shape()),
        origin(table, order.cuts()),
        order.leftOut());
  }

  /**
   * Returns the end of the order of a table of this cluster; unknown if there is no such table any
   * more.
   */
  private PlacedUpdates placed(StoredTable table, String cluster) {
    if (!table.cluster().equals(cluster) || !decisions.state().tables().containsKey(table.id())) {
      return UNKNOWN;
    }
    try {
      return decisions.placed(table.id());
    } catch (UniserveException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        return UNKNOWN; // it was dropped meanwhile
      }
      throw e;
    }
  }

  /**
   * Returns the last decision about each actor of a table of this cluster; empty if there is no
   * such table any more. What the store has of a transaction was decided before.
   */
  private List<Commitment> decided(StoredTable table, String cluster) {
    return table.cluster().equals(cluster)
        ? Optional.ofNullable(decisions.state().tables().get(table.id())).stream()
            .flatMap(living -> living.actors().stream())
            .map(ActorState::committed)
            .toList()
        : List.of();
  }

  private static Planned whole(TableDefinition definition, TableOrigin origin) {
    return new Planned(definition, origin, Optional.empty());
  }

  private static TableOrigin origin(StoredTable table, List<Cut> cuts) {
    return new TableOrigin(table.cluster(), table.id(), cuts);
  }

  private List<Cut> timeCut(StoredTable table, long millis) {
    List<StoredPast> pasts = pasts(table, millis).toList();
    return byNumber(
        table,
        pasts,
        pasts.stream()
            .map(
                past ->
                    new Cut(millis == Long.MAX_VALUE ? past.history().end() : last(past), false))
            .toList());
  }

  /** Returns cuts by number. Nothing is restored of actors that had ended. */
  private static List<Cut> byNumber(StoredTable table, List<StoredPast> pasts, List<Cut> each) {
    Cut ended = new Cut(Position.START, false);
    List<Cut> cuts = new ArrayList<>(Collections.nCopies(table.definition().actors(), ended));
    for (int i = 0; i < pasts.size(); i++) {
      cuts.set(pasts.get(i).place().actor().number(), each.get(i));
    }
    return cuts;
  }

  private Stream<StoredPast> pasts(StoredTable table, long millis) {
    return table.definition().partitioner().actorsOf(Keys.ALL).stream()
        .map(number -> past(table, number, millis));
  }

  private StoredPast past(StoredTable table, int number, long millis) {
    BackupPlace place = new BackupPlace(table.cluster(), new ActorId(table.id(), number));
    boolean storedFirst = table.definition().durability() == Durability.SYNCHRONOUS;
    return StoredPast.read(server.backups(), codec, place, millis, storedFirst);
  }

  /** Returns the last position up to the moment. */
  private Position last(StoredPast past) {
    Position last = past.base().map(Checkpoint::position).orElse(Position.START);
    for (Piece piece : past.logAfter(last)) {
      boolean all =
          piece.log().lastMillis() <= past.millis() && piece.to() == piece.log().last().sequence();
      Position end = all ? piece.log().last() : last(past, piece, last);
      if (end.sequence() < piece.to()) {
        return end;
      }
      last = end;
    }
    return last;
  }

  private Position last(StoredPast past, Piece piece, Position before) {
    Position last = before;
    for (ByteBuffer bytes : past.read(piece)) {
      LogEntry entry = codec.decode(bytes);
      long sequence = entry.position().sequence();
      boolean within = sequence > last.sequence() && sequence <= piece.to();
      if (within && entry.timeMillis() <= past.millis()) {
        last = entry.position();
      }
    }
    return last;
  }
}
