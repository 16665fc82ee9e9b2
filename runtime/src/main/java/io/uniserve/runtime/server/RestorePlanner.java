package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.Keys;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.runtime.store.BackupPlace;
import io.uniserve.runtime.store.History;
import io.uniserve.runtime.store.History.Piece;
import io.uniserve.runtime.store.HistoryItem.Checkpoint;
import io.uniserve.runtime.wire.BackupMessage.PlanRestore;
import io.uniserve.runtime.wire.BackupMessage.RestorePlan;
import io.uniserve.runtime.wire.BackupMessage.RestorePlan.Planned;
import io.uniserve.runtime.wire.BackupMessage.StoredTable;
import io.uniserve.runtime.wire.LogEntry;
import io.uniserve.runtime.wire.LogEntryCodec;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds out what is to be restored so that tables are as of one moment: of every actor, the updates
 * that its primary took up to that moment, by its clock. So if an update is part of it, so is every
 * other that was acknowledged before that one was sent, provided that the clocks of their primaries
 * differ by less than what lies between. Of a table of transactions, each is there wholly or not at
 * all, see {@link TransactionCut}; of a table of ordered updates, all up to one, see {@link
 * OrderPlanner}.
 */
final class RestorePlanner {
  private final ServerContext server;
  private final LogEntryCodec codec;

  RestorePlanner(ServerContext server) {
    this.server = server;
    this.codec = server.engines().logEntries();
  }

  /**
   * Plans.
   *
   * @param cluster whose tables are meant by their names, if it has such
   */
  RestorePlan plan(String cluster, PlanRestore request) {
    List<StoredTable> known =
        server.backups().catalog().tables(request.asOfMillis().orElse(Long.MAX_VALUE));
    request.asOfMillis().ifPresent(this::requirePast);
    List<Planned> planned = new ArrayList<>();
    for (String name : request.tables()) {
      StoredTable table = find(name, cluster, known, request.asOfMillis());
      request.asOfMillis().ifPresent(moment -> requireRetained(table, moment));
      planned.add(planned(table, request.asOfMillis().orElse(Long.MAX_VALUE)));
    }
    return new RestorePlan(planned);
  }

  private void requirePast(long millis) {
    if (millis > server.environment().clock().now().toEpochMilli()) {
      throw UniserveException.invalid(
          "nothing can be restored as of " + Instant.ofEpochMilli(millis) + ", which is to come");
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

  /** Of several of one name, that which existed at the moment, or else the newest. */
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

  private Planned planned(StoredTable table, long millis) {
    TableDefinition definition = table.definition();
    return switch (definition.consistency()) {
      case EVENTUAL -> new Planned(definition, origin(table, timeCut(table, millis)));
      case SERIALIZABLE, SNAPSHOT ->
          new Planned(definition, origin(table, transactionCut(table, millis)));
      case ORDERED -> {
        OrderPlanner.Planned order =
            OrderPlanner.plan(
                definition.partitioner(), millis, number -> past(table, number, millis));
        yield new Planned(definition.withPartitioner(order.shape()), origin(table, order.cuts()));
      }
    };
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

  /** Nothing is restored of actors that had ended. */
  private static List<Cut> byNumber(StoredTable table, List<StoredPast> pasts, List<Cut> each) {
    Cut ended = new Cut(Position.START, false);
    List<Cut> cuts = new ArrayList<>(Collections.nCopies(table.definition().actors(), ended));
    for (int i = 0; i < pasts.size(); i++) {
      cuts.set(pasts.get(i).place().actor().number(), each.get(i));
    }
    return cuts;
  }

  private List<Cut> transactionCut(StoredTable table, long millis) {
    List<StoredPast> pasts = pasts(table, millis).toList();
    List<Position> bases = new ArrayList<>();
    List<List<LogEntry>> logs = new ArrayList<>();
    List<Set<String>> keys = new ArrayList<>();
    for (StoredPast past : pasts) {
      Optional<Checkpoint> checkpoint = past.base();
      Position base = checkpoint.map(Checkpoint::position).orElse(Position.START);
      bases.add(base);
      logs.add(past.entriesAfter(base));
      checkpoint.ifPresent(known -> keys.add(past.meta(known).keys().keySet()));
    }
    TransactionCut cut =
        new TransactionCut(
            logs,
            millis,
            prepare -> keys.stream().anyMatch(known -> known.contains(prepare.key())));
    return byNumber(table, pasts, cut.of(bases));
  }

  private Stream<StoredPast> pasts(StoredTable table, long millis) {
    return table.definition().partitioner().actorsOf(Keys.ALL).stream()
        .map(number -> past(table, number, millis));
  }

  private StoredPast past(StoredTable table, int number, long millis) {
    BackupPlace place = new BackupPlace(table.cluster(), new ActorId(table.id(), number));
    boolean storedFirst = table.definition().durability() == Durability.SYNCHRONOUS;
    return new StoredPast(
        server.backups(), codec, place, history(place, millis), millis, storedFirst);
  }

  /** Without a moment, whatever the store has; with one, what was there then, or nothing. */
  private History history(BackupPlace place, long millis) {
    History history = server.backups().history(place);
    return millis == Long.MAX_VALUE
        ? history.based()
        : history.at(millis).orElseThrow(() -> StoredPast.notSoFarBack(place, millis));
  }

  /** The last position up to the moment. */
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
