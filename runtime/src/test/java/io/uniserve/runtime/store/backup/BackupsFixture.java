package io.uniserve.runtime.store.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.store.CountingStore;
import io.uniserve.runtime.store.backup.HistoryItem.Checkpoint;
import io.uniserve.runtime.store.backup.HistoryItem.EpochStart;
import io.uniserve.runtime.store.backup.HistoryItem.Log;
import io.uniserve.runtime.store.directory.DirectoryStore;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An actor's files, and a store that they are backed up to. */
abstract class BackupsFixture {
  static final BackupPlace PLACE = new BackupPlace("c1", new ActorId(7, 3));
  static final String KEYS = "clusters/c1/tables/7/3/";
  static final Duration NONE = Duration.ZERO;

  @TempDir Path directory;
  final ShiftedClock clock = new ShiftedClock();
  private final List<ActorBackups> opened = new ArrayList<>();
  CountingStore store;
  ActorBackups backups;
  Path actorFiles;

  /** The system's clock, whose time of day a test may put forward. */
  static final class ShiftedClock implements Clock {
    final SystemClock system = new SystemClock();
    Duration ahead = Duration.ZERO;

    @Override
    public long nanos() {
      return system.nanos();
    }

    @Override
    public Instant now() {
      return system.now().plus(ahead);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
      return system.schedule(delay, task);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      system.sleep(duration);
    }
  }

  @BeforeEach
  void open() throws IOException {
    store =
        new CountingStore(
            new DirectoryStore(
                new FileStorage(directory.resolve("store")),
                clock,
                ProductionEnvironment.unseeded()));
    backups = newBackups();
    actorFiles = Files.createDirectories(directory.resolve("actor"));
  }

  @AfterEach
  void close() {
    opened.forEach(ActorBackups::close);
    clock.system.close();
  }

  ActorBackups newBackups() throws IOException {
    ActorBackups fresh =
        new ActorBackups(
            store,
            ProcessFixture.environment(
                clock,
                directory.resolve("process"),
                new InProcessNetwork(clock).attach(new Address("server"))));
    opened.add(fresh);
    return fresh;
  }

  void file(String name, String text) throws IOException {
    Path path = actorFiles.resolve(name);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
    Files.setLastModifiedTime(path, FileTime.from(Instant.now().minusSeconds(60)));
  }

  static Position at(long epoch, long sequence) {
    return new Position(epoch, sequence);
  }

  BackupReceipt backUp(Position position) {
    return backUp(backups, position, actorFiles);
  }

  /** Backs up as a primary does that took over at this position. */
  BackupReceipt backUp(ActorBackups by, Position position, Path files) {
    long epoch = position.epoch();
    if (by.history(PLACE).newestEpoch() < epoch) {
      by.open(PLACE, new EpochStart(epoch, by.history(PLACE).end(), true, 0));
    }
    long nowMillis = clock.now().toEpochMilli();
    return by.checkpoint(
        PLACE, new Checkpoint(epoch, position, nowMillis), by.history(PLACE), files);
  }

  void restore(Position position, String target) {
    Checkpoint wanted =
        backups.history(PLACE).checkpoints().stream()
            .filter(known -> known.position().equals(position))
            .findFirst()
            .orElseThrow();
    backups.restore(PLACE, wanted, target(target));
  }

  List<Position> positions() {
    return backups.history(PLACE).checkpoints().stream().map(Checkpoint::position).toList();
  }

  static Map<String, String> contents(Path root) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        contents.put(root.relativize(path).toString(), Files.readString(path));
      }
    }
    return contents;
  }

  Path target(String name) {
    return directory.resolve("restored").resolve(name);
  }

  int objects() {
    int[] count = {0};
    store.list(KEYS + "objects/", object -> count[0]++);
    return count[0];
  }

  Log append(long writer, Position after, Position last, String... entries) {
    Log log = new Log(writer, after, last, last.sequence());
    List<ByteBuffer> bytes =
        Stream.of(entries).map(entry -> ByteBuffer.wrap(entry.getBytes(UTF_8))).toList();
    backups.append(PLACE, log, bytes);
    return log;
  }
}
