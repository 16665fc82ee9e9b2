package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Finds out what is to be restored so that tables are as of one moment: of every actor, the updates
 * that its primary took up to that moment, by its clock. So if an update is part of it, so is every
 * other that was acknowledged before that one was sent, provided that the clocks of their primaries
 * differ by less than what lies between. Of a table of transactions, each is there wholly or not at
 * all, see {@link TransactionCut}.
 */
final class RestorePlanner {
  private final ServerContext server;
  private final LogEntryCodec codec;

  RestorePlanner(ServerContext server) {
    this.server = server;
    this.codec = new LogEntryCodec(server.engines());
  }

  /**
   * Plans.
   *
   * @param cluster whose tables are meant by their names, if it has such
   */
  RestorePlan plan(String cluster, PlanRestore request) {
    List<StoredTable> known = server.backups().catalog().tables();
    request.asOfMillis().ifPresent(this::requirePast);
    List<Planned> planned = new ArrayList<>();
    for (String name : request.tables()) {
      StoredTable table = find(name, cluster, known, request.asOfMillis());
      request.asOfMillis().ifPresent(moment -> requireRetained(table, moment));
      planned.add(new Planned(table.definition(), origin(table, request.asOfMillis())));
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

  private TableOrigin origin(StoredTable table, Optional<Long> asOfMillis) {
    boolean transactional = table.definition().consistency().transactional();
    long millis = asOfMillis.orElse(Long.MAX_VALUE);
    return new TableOrigin(
        table.cluster(),
        table.id(),
        transactional ? transactionCut(table, millis) : timeCut(table, millis));
  }

  private List<Cut> timeCut(StoredTable table, long millis) {
    List<Cut> cut = new ArrayList<>();
    for (BackupPlace place : places(table)) {
      History history = server.backups().history(place).at(millis);
      boolean all = millis == Long.MAX_VALUE;
      cut.add(new Cut(all ? history.end() : lastBy(place, history, millis), false));
    }
    return cut;
  }

  private List<Cut> transactionCut(StoredTable table, long millis) {
    List<Position> bases = new ArrayList<>();
    List<List<LogEntry>> logs = new ArrayList<>();
    List<Set<String>> keys = new ArrayList<>();
    for (BackupPlace place : places(table)) {
      History history = server.backups().history(place).at(millis);
      Optional<Checkpoint> checkpoint = base(place, history, millis);
      Position base = checkpoint.map(Checkpoint::position).orElse(Position.START);
      bases.add(base);
      logs.add(entries(place, history, base, millis));
      checkpoint.ifPresent(known -> keys.add(meta(place, known).keys().keySet()));
    }
    return new TransactionCut(
            logs, millis, prepare -> keys.stream().anyMatch(known -> known.contains(prepare.key())))
        .of(bases);
  }

  private CheckpointMeta meta(BackupPlace place, Checkpoint checkpoint) {
    return CheckpointMeta.decode(server.backups().file(place, checkpoint, CheckpointMeta.FILE));
  }

  private List<LogEntry> entries(BackupPlace place, History history, Position base, long millis) {
    List<LogEntry> entries = new ArrayList<>();
    long last = base.sequence();
    for (Piece piece : history.logAfter(base).orElseThrow(() -> notSoFarBack(place, millis))) {
      for (ByteBuffer bytes : server.backups().read(place, piece.log())) {
        LogEntry entry = codec.decode(bytes);
        long sequence = entry.position().sequence();
        if (sequence > last && sequence <= piece.to()) {
          entries.add(entry);
          last = sequence;
        }
      }
    }
    return entries;
  }

  private static List<BackupPlace> places(StoredTable table) {
    return IntStream.range(0, table.definition().actors())
        .mapToObj(number -> new BackupPlace(table.cluster(), new ActorId(table.id(), number)))
        .toList();
  }

  /** The last position up to a moment. */
  private Position lastBy(BackupPlace place, History history, long millis) {
    Position last = base(place, history, millis).map(Checkpoint::position).orElse(Position.START);
    List<Piece> log = history.logAfter(last).orElseThrow(() -> notSoFarBack(place, millis));
    for (Piece piece : log) {
      boolean all =
          piece.log().lastMillis() <= millis && piece.to() == piece.log().last().sequence();
      Position end = all ? piece.log().last() : lastBy(place, piece, last, millis);
      if (end.sequence() < piece.to()) {
        return end;
      }
      last = end;
    }
    return last;
  }

  /** The checkpoint that a restore begins with; none if it begins with an empty actor. */
  private static Optional<Checkpoint> base(BackupPlace place, History history, long millis) {
    Optional<Checkpoint> checkpoint = history.checkpointBy(millis);
    if (checkpoint.isEmpty() && !history.beginsEmpty() && !history.isEmpty()) {
      throw notSoFarBack(place, millis);
    }
    return checkpoint;
  }

  private Position lastBy(BackupPlace place, Piece piece, Position before, long millis) {
    Position last = before;
    for (ByteBuffer bytes : server.backups().read(place, piece.log())) {
      LogEntry entry = codec.decode(bytes);
      long sequence = entry.position().sequence();
      if (sequence > last.sequence() && sequence <= piece.to() && entry.timeMillis() <= millis) {
        last = entry.position();
      }
    }
    return last;
  }

  private static UniserveException notSoFarBack(BackupPlace place, long millis) {
    return new UniserveException(
        ErrorCode.NOT_FOUND,
        "the durable store does not have all of "
            + place
            + " as of "
            + Instant.ofEpochMilli(millis));
  }
}
