package io.uniserve.runtime.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.PartitionChange;
import io.uniserve.api.Partitioner;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.store.ActorBackups;
import io.uniserve.runtime.store.BackupPlace;
import io.uniserve.runtime.store.DirectoryStore;
import io.uniserve.runtime.store.HistoryItem.Checkpoint;
import io.uniserve.runtime.store.HistoryItem.Log;
import io.uniserve.runtime.store.HistoryItem.Reign;
import io.uniserve.runtime.wire.Engines;
import io.uniserve.runtime.wire.LogEntry;
import io.uniserve.runtime.wire.LogEntryCodec;
import io.uniserve.runtime.wire.OrderPlace;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Actor 0 of two was split when both had got the first two updates, of which each went to both. */
class OrderPlannerTest {
  private static final long SPLIT_MILLIS = 50;
  private static final long BIRTH = 9;
  private static final Partitioner WHOLE = new Partitioner.Hash(2);
  private static final Partitioner SPLIT =
      WHOLE.cut(0, new PartitionChange.Where.Bit(0), SPLIT_MILLIS);

  private final LogEntryCodec codec = new Engines(List.of()).logEntries();
  private final SystemClock clock = new SystemClock();

  @TempDir private Path directory;
  private ActorBackups backups;

  @BeforeEach
  void store() throws IOException {
    Environment environment =
        new ProductionEnvironment(
            clock,
            new ProductionThreads(),
            new FileStorage(directory.resolve("process")),
            ProductionEnvironment.unseeded(),
            new InProcessNetwork(clock).attach(new Address("server")));
    FileStorage files = new FileStorage(directory.resolve("store"));
    backups =
        new ActorBackups(
            new DirectoryStore(files, clock, ProductionEnvironment.unseeded()), environment);
    LogEntry retain = new LogEntry.Retain(at(2, 3), SPLIT_MILLIS, SPLIT, 1);
    log(0, Position.START, entry(at(1, 1), 10, 1, 0, 0, 1), entry(at(1, 2), 20, 2, 1, 0, 1));
    log(0, at(1, 2), retain, entry(at(2, 4), 60, 3, 2, 0, 2));
  }

  @AfterEach
  void close() {
    backups.close();
    clock.close();
  }

  private static Position at(long epoch, long sequence) {
    return new Position(epoch, sequence);
  }

  private static BackupPlace place(int actor) {
    return new BackupPlace("c", new ActorId(1, actor));
  }

  private static LogEntry entry(
      Position position, long millis, long number, long previous, Integer... actors) {
    OrderPlace place = new OrderPlace(number, previous, List.of(actors));
    return new LogEntry.Passed(position, millis, place, "k" + number, Optional.empty());
  }

  /** What the primary of one reign has stored. */
  private void log(int actor, Position after, LogEntry... entries) {
    LogEntry last = entries[entries.length - 1];
    long epoch = last.position().epoch();
    backups.open(place(actor), new Reign(epoch, after, true, last.timeMillis()));
    backups.append(
        place(actor),
        new Log(epoch, after, last.position(), last.timeMillis()),
        Stream.of(entries).map(codec::encode).toList());
  }

  /** The first reign of the part, which begins with a checkpoint. */
  private void part(Position position, long millis, long last) throws IOException {
    Path files = Files.createDirectories(directory.resolve("part"));
    ReceivedOrder.Stored order = new ReceivedOrder.Stored(last, Map.of(0, last, 1, 2L), Map.of());
    new CheckpointMeta(position, millis, 0, 1, Map.of(), Map.of(), order).write(files);
    backups.open(place(2), new Reign(position.epoch(), position, false, millis));
    backups.checkpoint(
        place(2),
        new Checkpoint(position.epoch(), position, millis),
        backups.history(place(2)),
        files);
  }

  private OrderPlanner.Planned plan() {
    List<StoredPast> pasts =
        IntStream.range(0, SPLIT.actors())
            .mapToObj(
                actor ->
                    new StoredPast(
                        backups,
                        codec,
                        place(actor),
                        backups.history(place(actor)),
                        Long.MAX_VALUE,
                        false))
            .toList();
    return OrderPlanner.plan(SPLIT, pasts);
  }

  private static List<Position> ends(OrderPlanner.Planned planned) {
    return planned.cuts().stream().map(Cut::last).toList();
  }

  @Test
  void whatAllHaveIsRestoredWithTheSplit() throws IOException {
    log(1, Position.START, entry(at(1, 1), 10, 1, 0, 0, 1), entry(at(1, 2), 20, 2, 1, 0, 1));
    part(at(BIRTH, 2), SPLIT_MILLIS, 2);
    log(2, at(BIRTH, 2), entry(at(BIRTH + 1, 3), 60, 3, 2, 0, 2));
    OrderPlanner.Planned planned = plan();
    assertThat(planned.shape()).isEqualTo(SPLIT);
    assertThat(ends(planned)).containsExactly(at(2, 4), at(1, 2), at(BIRTH + 1, 3));
  }

  @Test
  void whatThePartHasNotStoredIsLeftOutAfterTheSplit() throws IOException {
    log(1, Position.START, entry(at(1, 1), 10, 1, 0, 0, 1), entry(at(1, 2), 20, 2, 1, 0, 1));
    part(at(BIRTH, 2), SPLIT_MILLIS, 2);
    OrderPlanner.Planned planned = plan();
    assertThat(planned.shape()).isEqualTo(SPLIT);
    assertThat(ends(planned)).containsExactly(at(2, 3), at(1, 2), at(BIRTH, 2));
  }

  @Test
  void withoutSomethingThatWasBeforeTheSplitTheTableIsRestoredWhole() throws IOException {
    log(1, Position.START, entry(at(1, 1), 10, 1, 0, 0, 1));
    part(at(BIRTH, 2), SPLIT_MILLIS, 2);
    log(2, at(BIRTH, 2), entry(at(BIRTH + 1, 3), 60, 3, 2, 0, 2));
    OrderPlanner.Planned planned = plan();
    assertThat(planned.shape()).isEqualTo(WHOLE);
    assertThat(ends(planned)).containsExactly(at(1, 1), at(1, 1));
  }

  @Test
  void nobodyKnowsWhetherItWasBeforeTheSplitOnceThePartsFirstCheckpointIsGone() throws IOException {
    log(1, Position.START, entry(at(1, 1), 10, 1, 0, 0, 1));
    part(at(BIRTH + 1, 3), 60, 3);
    assertThatThrownBy(this::plan)
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }
}
