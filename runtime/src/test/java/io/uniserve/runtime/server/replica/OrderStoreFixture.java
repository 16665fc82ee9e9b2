package io.uniserve.runtime.server.replica;

import io.uniserve.api.ActorId;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.checkpoint.ReceivedOrder;
import io.uniserve.runtime.server.keys.RecentKeys;
import io.uniserve.runtime.server.keys.StoredKeys;
import io.uniserve.runtime.server.restore.OrderPlanner;
import io.uniserve.runtime.server.restore.StoredPast;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.store.backup.ActorBackups;
import io.uniserve.runtime.store.backup.BackupPlace;
import io.uniserve.runtime.store.backup.HistoryItem.Checkpoint;
import io.uniserve.runtime.store.backup.HistoryItem.EpochStart;
import io.uniserve.runtime.store.backup.HistoryItem.Gap;
import io.uniserve.runtime.store.backup.HistoryItem.Log;
import io.uniserve.runtime.store.directory.DirectoryStore;
import io.uniserve.runtime.wire.OrderedMessage.PlacedUpdates;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.LogEntryCodec;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The durable store of an ordered table's actors, as a test fills it. */
public abstract class OrderStoreFixture {
  private static final PlacedUpdates UNKNOWN = new PlacedUpdates(Long.MAX_VALUE, List.of());

  private final LogEntryCodec codec = new Engines(List.of()).logEntries();
  private final SystemClock clock = new SystemClock();

  @TempDir private Path directory;
  private ActorBackups backups;

  @BeforeEach
  final void open() throws IOException {
    Environment environment =
        ProcessFixture.environment(
            clock,
            directory.resolve("process"),
            new InProcessNetwork(clock).attach(new Address("server")));
    FileStorage files = new FileStorage(directory.resolve("store"));
    backups =
        new ActorBackups(
            new DirectoryStore(files, clock, ProductionEnvironment.unseeded()), environment);
  }

  @AfterEach
  final void close() {
    backups.close();
    clock.close();
  }

  public static Position at(long epoch, long sequence) {
    return new Position(epoch, sequence);
  }

  private static BackupPlace place(int actor) {
    return new BackupPlace("c", new ActorId(1, actor));
  }

  public static LogEntry entry(
      Position position, long millis, long number, long previous, Integer... actors) {
    OrderPlace place = new OrderPlace(number, previous, List.of(actors));
    return new LogEntry.Passed(
        position, millis, place, UpdateKey.of("k" + number), Optional.empty());
  }

  /** Stores the log of one epoch. */
  public final void log(int actor, Position after, LogEntry... entries) {
    LogEntry last = entries[entries.length - 1];
    open(actor, last.position().epoch(), after, last.timeMillis());
    more(actor, after, entries);
  }

  /** Stores that a primary continues the log of an actor in an epoch of its own. */
  public final void open(int actor, long epoch, Position after, long millis) {
    backups.open(place(actor), new EpochStart(epoch, after, true, millis));
  }

  /** Stores more log later. */
  public final Log more(int actor, Position after, LogEntry... entries) {
    return append(actor, entries[entries.length - 1].position().epoch(), after, List.of(entries));
  }

  /**
   * Stores more log of one epoch.
   *
   * @param writer the epoch of the primary that stores it
   */
  public final Log append(int actor, long writer, Position after, List<LogEntry> entries) {
    LogEntry last = entries.getLast();
    Log log = new Log(writer, after, last.position(), last.timeMillis());
    backups.append(place(actor), log, entries.stream().map(codec::encode).toList());
    return log;
  }

  /** Returns the history that the store has of an actor now. */
  public final StoredPast past(int actor) {
    return past(actor, Long.MAX_VALUE, false);
  }

  /** Returns the history that the store has of an actor, as of a moment. */
  public final StoredPast past(int actor, long millis, boolean storedFirst) {
    return StoredPast.read(backups, codec, place(actor), millis, storedFirst);
  }

  /** Merges log objects of an actor, as its primary does now and then. */
  public final void merge(int actor, Log... logs) {
    backups.merge(place(actor), List.of(logs));
  }

  /** Stores the first epoch of an actor that was made of others, which begins with a checkpoint. */
  public final void made(int actor, Position position, long millis, ReceivedOrder.Stored order)
      throws IOException {
    made(actor, new CheckpointMeta(position, millis, 0, 1, order, List.of()), List.of());
  }

  /** Stores the first epoch of an actor that was made of others and has applied some updates. */
  public final void made(int actor, CheckpointMeta meta, List<UpdateKey> applied)
      throws IOException {
    backups.open(
        place(actor),
        new EpochStart(meta.position().epoch(), meta.position(), false, meta.timeMillis()));
    checkpoint(actor, meta, applied);
  }

  /** Returns the data of an actor that is merged from two. */
  public final CheckpointMeta merged(
      int one,
      CheckpointMeta ones,
      int other,
      CheckpointMeta others,
      Position start,
      long millis,
      int generation)
      throws IOException {
    StoredKeys none = StoredKeys.of(directory);
    return ones.with(one, none, others, other, none, start, millis, generation);
  }

  /**
   * Stores a checkpoint of an actor, and a note that the store will never have the updates before
   * it as log objects.
   *
   * @param after the last update before these
   * @param last the number of the newest update of the order in the checkpoint
   */
  public final void gap(int actor, Position after, Position position, long millis, long last)
      throws IOException {
    gap(actor, after, position);
    checkpoint(actor, position, millis, 1, new ReceivedOrder.Stored(last, Map.of(), Map.of()));
  }

  /** Notes that the store will never have the updates between two positions as log objects. */
  public final void gap(int actor, Position after, Position last) {
    gap(actor, last.epoch(), after, last);
  }

  /**
   * Notes the same.
   *
   * @param writer the epoch of the primary that notes it
   */
  public final void gap(int actor, long writer, Position after, Position last) {
    backups.note(place(actor), new Gap(writer, after, last));
  }

  /** Stores a checkpoint of an actor. */
  public final void checkpoint(
      int actor, Position position, long millis, int generation, ReceivedOrder.Stored order)
      throws IOException {
    CheckpointMeta meta = new CheckpointMeta(position, millis, 0, generation, order, List.of());
    checkpoint(actor, meta, List.of());
  }

  /** Stores a checkpoint of an actor that has applied the updates of keys. */
  public final void checkpoint(int actor, CheckpointMeta meta, List<UpdateKey> applied)
      throws IOException {
    checkpoint(actor, meta.position().epoch(), meta, applied);
  }

  /**
   * Stores a checkpoint of an actor.
   *
   * @param writer the epoch of the primary that stores it
   */
  public final void checkpoint(int actor, long writer, CheckpointMeta meta, List<UpdateKey> applied)
      throws IOException {
    Path files = Files.createTempDirectory(directory, "checkpoint");
    meta.write(files);
    RecentKeys keys = new RecentKeys(Files.createTempDirectory(directory, "keys"));
    applied.forEach(key -> keys.add(key, meta.position(), meta.timeMillis(), Optional.empty()));
    keys.write(files);
    keys.close();
    backups.checkpoint(
        place(actor),
        new Checkpoint(writer, meta.position(), meta.timeMillis()),
        backups.history(place(actor)),
        files);
  }

  /** Plans how a table continues after a loss. */
  public final OrderPlanner.Planned recover(Partitioner shape, List<Long> placed) {
    return OrderPlanner.recover(shape, placed, this::past);
  }

  /** Plans a restore of the newest state of a table. */
  public final OrderPlanner.Planned plan(Partitioner shape) {
    return plan(shape, UNKNOWN);
  }

  /** Plans a restore of the newest state of a table whose order has an end. */
  public final OrderPlanner.Planned plan(Partitioner shape, PlacedUpdates placed) {
    return OrderPlanner.plan(shape, Long.MAX_VALUE, placed, this::past);
  }

  /** Plans a restore as of a moment of a table whose order has an end. */
  public final OrderPlanner.Planned plan(
      Partitioner shape, long millis, boolean storedFirst, PlacedUpdates placed) {
    return OrderPlanner.plan(shape, millis, placed, actor -> past(actor, millis, storedFirst));
  }

  /**
   * Plans a restore of a table as of a moment.
   *
   * @param storedFirst true if updates were acknowledged only once the store had them
   */
  public final OrderPlanner.Planned plan(Partitioner shape, long millis, boolean storedFirst) {
    return plan(shape, millis, storedFirst, UNKNOWN);
  }

  public static List<Position> ends(OrderPlanner.Planned planned) {
    return planned.cuts().stream().map(Cut::last).toList();
  }
}
