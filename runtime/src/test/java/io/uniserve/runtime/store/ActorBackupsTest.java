package io.uniserve.runtime.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.store.HistoryItem.Checkpoint;
import io.uniserve.runtime.store.HistoryItem.Log;
import io.uniserve.runtime.store.HistoryItem.Reign;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.cluster.KeptOutput;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ActorBackupsTest {
  private static final BackupPlace PLACE = new BackupPlace("c1", new ActorId(7, 3));
  private static final String KEYS = "clusters/c1/tables/7/3/";
  private static final Duration NONE = Duration.ZERO;

  @TempDir Path directory;
  private final ShiftedClock clock = new ShiftedClock();
  private final List<ActorBackups> opened = new ArrayList<>();
  private CountingStore store;
  private ActorBackups backups;
  private Path actorFiles;

  /** The system's clock, whose time of day a test may put forward. */
  private static final class ShiftedClock implements Clock {
    private final SystemClock system = new SystemClock();
    private Duration ahead = Duration.ZERO;

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

  private ActorBackups newBackups() throws IOException {
    ActorBackups fresh =
        new ActorBackups(
            store,
            new ProductionEnvironment(
                clock,
                new ProductionThreads(),
                new FileStorage(directory.resolve("process")),
                ProductionEnvironment.unseeded(),
                new InProcessNetwork(clock).attach(new Address("server"))));
    opened.add(fresh);
    return fresh;
  }

  private void file(String name, String text) throws IOException {
    Path path = actorFiles.resolve(name);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
    Files.setLastModifiedTime(path, FileTime.from(Instant.now().minusSeconds(60)));
  }

  private static Position at(long epoch, long sequence) {
    return new Position(epoch, sequence);
  }

  private BackupReceipt backUp(Position position) {
    return backUp(backups, position, actorFiles);
  }

  /** As a primary does that took over at this position. */
  private BackupReceipt backUp(ActorBackups by, Position position, Path files) {
    long epoch = position.epoch();
    if (by.history(PLACE).newestReign() < epoch) {
      by.open(PLACE, new Reign(epoch, by.history(PLACE).end(), true, 0));
    }
    long nowMillis = clock.now().toEpochMilli();
    return by.checkpoint(
        PLACE, new Checkpoint(epoch, position, nowMillis), by.history(PLACE), files);
  }

  private void restore(Position position, String target) {
    Checkpoint wanted =
        backups.history(PLACE).checkpoints().stream()
            .filter(known -> known.position().equals(position))
            .findFirst()
            .orElseThrow();
    backups.restore(PLACE, wanted, target(target));
  }

  private List<Position> positions() {
    return backups.history(PLACE).checkpoints().stream().map(Checkpoint::position).toList();
  }

  private static Map<String, String> contents(Path root) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        contents.put(root.relativize(path).toString(), Files.readString(path));
      }
    }
    return contents;
  }

  private Path target(String name) {
    return directory.resolve("restored").resolve(name);
  }

  private int objects() {
    int[] count = {0};
    store.list(KEYS + "objects/", object -> count[0]++);
    return count[0];
  }

  @Test
  void restoresAnyCheckpoint() throws IOException {
    file("segments", "one");
    file("sub/dir/data", "payload");
    file("empty", "");
    backUp(at(1, 10));
    file("segments", "two");
    Files.delete(actorFiles.resolve("empty"));
    backUp(at(1, 12));

    assertThat(positions()).containsExactly(at(1, 12), at(1, 10));
    restore(at(1, 12), "a");
    assertThat(contents(target("a"))).isEqualTo(contents(actorFiles));
    restore(at(1, 10), "b");
    assertThat(contents(target("b")))
        .isEqualTo(Map.of("segments", "one", "sub/dir/data", "payload", "empty", ""));
  }

  @Test
  void anActorNeverBackedUpHasNoHistory() {
    assertThat(backups.history(PLACE).isEmpty()).isTrue();
    backups.collect(PLACE, 1, NONE);
  }

  @Test
  void uploadsOnlyWhatChanged() throws IOException {
    for (int i = 0; i < 20; i++) {
      file("part-" + i, "part " + i);
    }
    file("copy-of-0", "part 0");
    BackupReceipt first = backUp(at(1, 1));
    assertThat(first.files()).isEqualTo(21);
    assertThat(first.uploadedFiles()).isEqualTo(20);
    store.puts.clear();
    file("part-20", "something new");
    BackupReceipt second = backUp(at(1, 2));
    assertThat(second.uploadedFiles()).isEqualTo(1);
    assertThat(second.uploadedBytes()).isEqualTo("something new".length());
    assertThat(store.puts).hasSize(2);
    assertThat(store.puts.getLast()).as("the manifest comes last").contains("checkpoint-");
  }

  @Test
  void aNewPrimaryUploadsOnlyWhatTheStoreLacks() throws IOException {
    file("a", "a");
    file("b", "b");
    backUp(at(1, 1));
    file("c", "c");
    assertThat(backUp(newBackups(), at(2, 2), actorFiles).uploadedFiles()).isEqualTo(1);
  }

  @Test
  void unchangedFilesAreNotReadAgain() throws IOException {
    file("old", "settled long ago");
    backUp(at(1, 1));
    FileTime time = Files.getLastModifiedTime(actorFiles.resolve("old"));
    Files.writeString(actorFiles.resolve("old"), "settled LONG ago");
    Files.setLastModifiedTime(actorFiles.resolve("old"), time);
    assertThat(backUp(at(1, 2)).uploadedFiles()).isZero();
    Files.setLastModifiedTime(actorFiles.resolve("old"), FileTime.fromMillis(1));
    assertThat(backUp(at(1, 3)).uploadedFiles()).isEqualTo(1);
  }

  @Test
  void hardLinksOfAnUnchangedFileAreRecognised() throws IOException {
    file("old", "settled long ago");
    backUp(at(1, 1));
    Path next = Files.createDirectories(directory.resolve("next"));
    Files.createLink(next.resolve("renamed"), actorFiles.resolve("old"));
    assertThat(backUp(backups, at(1, 2), next).uploadedFiles()).isZero();
    restore(at(1, 2), "a");
    assertThat(contents(target("a"))).isEqualTo(Map.of("renamed", "settled long ago"));
  }

  @Test
  void aFileThatChangedJustNowIsReadAgain() throws IOException {
    clock.ahead = Duration.ofMinutes(-1);
    Path young = Files.writeString(actorFiles.resolve("young"), "aaaa");
    FileTime time = Files.getLastModifiedTime(young);
    backUp(at(1, 1));
    Files.writeString(young, "bbbb");
    Files.setLastModifiedTime(young, time);
    backUp(at(1, 2));
    restore(at(1, 2), "a");
    assertThat(contents(target("a"))).containsEntry("young", "bbbb");
  }

  @Test
  void aFailedBackupLeavesTheFormerAndIsMadeGood() throws IOException {
    file("a", "a");
    backUp(at(1, 1));
    file("b", "b");
    file("c", "c");
    store.putsUntilFailure.set(1);
    DurableStoreContract.assertFails(ErrorCode.UNAVAILABLE, () -> backUp(at(1, 2)));
    assertThat(positions()).containsExactly(at(1, 1));
    store.putsUntilFailure.set(Integer.MAX_VALUE);
    backUp(at(1, 2));
    restore(at(1, 2), "a");
    assertThat(contents(target("a"))).isEqualTo(contents(actorFiles));
  }

  @Test
  void collectsWhatIsOlderThanRetentionAndGrace() throws IOException {
    clock.ahead = untilNext(Duration.ofDays(1).plus(StoreSettings.DEFAULT.grace()).dividedBy(48));
    for (int i = 1; i <= 4; i++) {
      file("changing", "version " + i);
      file("constant", "constant");
      backUp(at(1, i));
      clock.ahead = clock.ahead.plusMinutes(1);
    }
    append(1, Position.START, at(1, 4), "a", "b", "c", "d");
    clock.ahead = clock.ahead.plusHours(2);
    backups.collect(PLACE, 1, Duration.ofDays(1));
    assertThat(positions()).as("the log leads on from others").containsExactly(at(1, 4), at(1, 3));
    assertThat(objects()).as("a restore may still be using them").isEqualTo(5);
    clock.ahead = clock.ahead.plusHours(2);
    backups.collect(PLACE, 1, NONE);
    assertThat(positions()).containsExactly(at(1, 4));
    clock.ahead = clock.ahead.plusHours(2);
    backups.collect(PLACE, 1, NONE);
    assertThat(objects()).isEqualTo(2);

    file("changing", "version 1");
    assertThat(backUp(at(1, 5)).uploadedFiles())
        .as("what was collected is uploaded again")
        .isEqualTo(1);
    restore(at(1, 5), "b");
  }

  @Test
  void whatPlansKeptGoesOnceItHasExpiredAndNobodyNeedsIt() throws IOException {
    file("a", "a");
    KeptOutput needed = kept("needed", Duration.ofMinutes(1));
    KeptOutput unneeded = kept("unneeded", Duration.ofMinutes(1));
    KeptOutput later = kept("later", Duration.ofHours(2));
    clock.ahead = clock.ahead.plusMinutes(59);
    backups.collectKept("a-cluster", clock.now(), output -> false);
    assertThat(List.of(needed, unneeded, later)).allMatch(this::isKept);
    clock.ahead = clock.ahead.plusMinutes(3);
    backups.collectKept("other", clock.now(), output -> false);
    assertThat(List.of(needed, unneeded, later)).allMatch(this::isKept);
    backups.collectKept("a-cluster", clock.now(), needed::equals);
    assertThat(List.of(needed, later)).allMatch(this::isKept);
    assertThat(isKept(unneeded)).isFalse();
    backups.collectKept("a-cluster", clock.now(), output -> false);
    assertThat(isKept(needed)).isFalse();
    assertThat(isKept(later)).isTrue();
  }

  private KeptOutput kept(String run, Duration fromNow) {
    KeptOutput output = new KeptOutput("a-cluster", clock.now().plus(fromNow).toEpochMilli(), run);
    Position position = KeptOutput.positionOf(0);
    backups.open(place(output), new Reign(position.epoch(), Position.START, false, 0));
    backups.checkpoint(
        place(output),
        new Checkpoint(position.epoch(), position, 0),
        backups.history(place(output)),
        actorFiles);
    return output;
  }

  private static BackupPlace place(KeptOutput output) {
    return new BackupPlace(output.place(), new ActorId(KeptOutput.TABLE, 0));
  }

  private boolean isKept(KeptOutput output) {
    return !backups.history(place(output)).isEmpty();
  }

  /** Checkpoints are thinned by parts of time; these are all to be made in one part. */
  private Duration untilNext(Duration part) {
    long millis = clock.now().toEpochMilli();
    return Duration.ofMillis(part.toMillis() - millis % part.toMillis());
  }

  @Test
  void aDeposedPrimaryCollectsNothing() throws IOException {
    file("f", "one");
    backUp(at(1, 1));
    file("f", "two");
    ActorBackups next = newBackups();
    backUp(next, at(2, 2), actorFiles);
    backUp(next, at(2, 3), actorFiles);
    clock.ahead = Duration.ofDays(1);
    backups.collect(PLACE, 1, NONE);
    assertThat(objects()).isEqualTo(2);
    next.collect(PLACE, 2, NONE);
    assertThat(positions()).containsExactly(at(2, 3));
    restore(at(2, 3), "a");
  }

  @Test
  void theSameFileOfTwoPrimariesIsTwoObjects() throws IOException {
    file("f", "one");
    backUp(at(1, 1));
    file("g", "two");
    backups.open(PLACE, new Reign(2, at(1, 1), true, 0));
    ActorBackups next = newBackups();
    backUp(next, at(2, 2), actorFiles);
    file("h", "two");
    backUp(at(1, 2));
    clock.ahead = Duration.ofHours(2);
    next.collect(PLACE, 2, Duration.ofDays(1));
    restore(at(2, 2), "a");
    assertThat(contents(target("a"))).isEqualTo(Map.of("f", "one", "g", "two"));
  }

  private Log append(long writer, Position after, Position last, String... entries) {
    Log log = new Log(writer, after, last, last.sequence());
    List<ByteBuffer> bytes =
        Stream.of(entries).map(entry -> ByteBuffer.wrap(entry.getBytes(UTF_8))).toList();
    backups.append(PLACE, log, bytes);
    return log;
  }

  private List<String> read(Log log) {
    return backups.read(PLACE, log).stream()
        .map(bytes -> UTF_8.decode(bytes.duplicate()).toString())
        .toList();
  }

  @Test
  void logObjectsAreReadAndMerged() {
    backups.open(PLACE, new Reign(1, Position.START, true, 0));
    Log one = append(1, Position.START, at(1, 2), "a", "b");
    Log two = append(1, at(1, 2), at(1, 3), "c");
    assertThat(read(one)).containsExactly("a", "b");
    Log merged = backups.merge(PLACE, List.of(one, two));
    assertThat(read(merged)).containsExactly("a", "b", "c");
    DurableStoreContract.assertFails(ErrorCode.NOT_FOUND, () -> backups.read(PLACE, one));
    assertThat(backups.history(PLACE).end()).isEqualTo(at(1, 3));
    assertThat(backups.history(PLACE).logAfter(Position.START).orElseThrow()).hasSize(1);
  }

  @Test
  void aLogObjectInTheWrongPlaceIsCorrupt() {
    Log one = append(1, Position.START, at(1, 1), "a");
    Log other = new Log(1, at(1, 1), at(1, 2), 2);
    store.put(
        KEYS + "history/" + other.name(),
        Content.of(store.get(KEYS + "history/" + one.name(), 9_999)));
    DurableStoreContract.assertFails(ErrorCode.CORRUPT, () -> backups.read(PLACE, other))
        .hasMessageContaining(other.name());
    store.put(KEYS + "history/" + other.name(), Content.of(new byte[] {1, 2, 3}));
    DurableStoreContract.assertFails(ErrorCode.CORRUPT, () -> backups.read(PLACE, other));
  }

  @Test
  void missingAndDamagedFilesAreFoundAndNamed() throws IOException {
    file("a", "content of a");
    backUp(at(1, 1));
    String key = KEYS + "objects/1-" + Sha256.of(actorFiles.resolve("a"));
    store.put(key, Content.of("content of B".getBytes(UTF_8)));
    DurableStoreContract.assertFails(ErrorCode.CORRUPT, () -> restore(at(1, 1), "a"))
        .hasMessageContaining(key);
    store.delete(key);
    DurableStoreContract.assertFails(ErrorCode.CORRUPT, () -> restore(at(1, 1), "b"))
        .hasMessageContaining(key);
  }

  @Test
  void aManifestThatIsNoneIsCorrupt() throws IOException {
    file("a", "a");
    backUp(at(1, 1));
    Checkpoint checkpoint = backups.history(PLACE).checkpoints().getFirst();
    byte[] sound = store.get(KEYS + "history/" + checkpoint.name(), 1000);
    BackupPlace other = new BackupPlace("c1", new ActorId(7, 4));
    store.put("clusters/c1/tables/7/4/history/" + checkpoint.name(), Content.of(sound));
    DurableStoreContract.assertFails(
            ErrorCode.CORRUPT, () -> backups.restore(other, checkpoint, target("a")))
        .hasMessageContaining("7/3");
    store.put(KEYS + "history/" + checkpoint.name(), Content.of(new byte[] {1, 2, 3}));
    DurableStoreContract.assertFails(ErrorCode.CORRUPT, () -> restore(at(1, 1), "b"))
        .hasMessageContaining(checkpoint.name());
  }

  @Test
  void aManifestCannotNameFilesElsewhere() {
    for (String name : new String[] {"../x", "/etc/x", "a/../../x", "", "a//b", ".", "a\\b"}) {
      DurableStoreContract.assertFails(
          ErrorCode.INVALID_ARGUMENT,
          () -> new Manifest.StoredFile(name, 1, Sha256.of(new byte[1]), 1));
    }
    assertThat(new Manifest.StoredFile("..a/.b/c..", 1, Sha256.of(new byte[1]), 1)).isNotNull();
  }

  @Test
  void restoresIntoEmptyDirectoriesOnly() throws IOException {
    file("a", "a");
    backUp(at(1, 1));
    Checkpoint checkpoint = backups.history(PLACE).checkpoints().getFirst();
    DurableStoreContract.assertFails(
        ErrorCode.INVALID_ARGUMENT, () -> backups.restore(PLACE, checkpoint, actorFiles));
  }
}
