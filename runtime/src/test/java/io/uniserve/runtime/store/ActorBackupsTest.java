package io.uniserve.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.wire.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ActorBackupsTest {
  private static final ActorId ACTOR = new ActorId(7, 3);

  @TempDir Path directory;
  private final ShiftedClock clock = new ShiftedClock();
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
    clock.system.close();
  }

  private ActorBackups newBackups() throws IOException {
    return new ActorBackups(
        store,
        new ProductionEnvironment(
            clock,
            new ProductionThreads(),
            new FileStorage(directory.resolve("process")),
            ProductionEnvironment.unseeded(),
            new InProcessNetwork(clock).attach(new io.uniserve.kernel.Address("server"))));
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

  @Test
  void restoresTheLatest() throws IOException {
    file("segments", "one");
    file("sub/dir/data", "payload");
    file("empty", "");
    backups.backup(ACTOR, at(1, 10), actorFiles);
    file("segments", "two");
    Files.delete(actorFiles.resolve("empty"));
    backups.backup(ACTOR, at(1, 12), actorFiles);

    assertThat(newBackups().restore(ACTOR, target("a"))).contains(at(1, 12));
    assertThat(contents(target("a"))).isEqualTo(contents(actorFiles));
    backups.restore(ACTOR, at(1, 10), target("b"));
    assertThat(contents(target("b")))
        .isEqualTo(Map.of("segments", "one", "sub/dir/data", "payload", "empty", ""));
  }

  @Test
  void anActorNeverBackedUpHasNoBackup() {
    assertThat(backups.restore(ACTOR, target("a"))).isEqualTo(Optional.empty());
    backups.prune(ACTOR);
    assertThat(backups.positions(ACTOR)).isEmpty();
  }

  @Test
  void theLatestIsOfTheHighestEpochWhateverItsSequence() throws IOException {
    file("f", "new reign");
    backups.backup(ACTOR, at(10, 5), actorFiles);
    file("f", "deposed");
    newBackups().backup(ACTOR, at(9, 1_000_000), actorFiles);
    assertThat(backups.restore(ACTOR, target("a"))).contains(at(10, 5));
    assertThat(contents(target("a"))).containsEntry("f", "new reign");
    assertThat(backups.positions(ACTOR)).containsExactly(at(9, 1_000_000), at(10, 5));
  }

  @Test
  void uploadsOnlyWhatChanged() throws IOException {
    for (int i = 0; i < 20; i++) {
      file("part-" + i, "part " + i);
    }
    file("copy-of-0", "part 0");
    BackupReceipt first = backups.backup(ACTOR, at(1, 1), actorFiles);
    assertThat(first.files()).isEqualTo(21);
    assertThat(first.uploadedFiles()).isEqualTo(20);
    store.puts.clear();
    file("part-20", "something new");
    BackupReceipt second = backups.backup(ACTOR, at(1, 2), actorFiles);
    assertThat(second.uploadedFiles()).isEqualTo(1);
    assertThat(second.uploadedBytes()).isEqualTo("something new".length());
    assertThat(store.puts).hasSize(2);
    assertThat(store.puts.getLast()).contains("manifests");
  }

  @Test
  void anotherProcessUploadsOnlyWhatTheStoreLacks() throws IOException {
    file("a", "a");
    file("b", "b");
    backups.backup(ACTOR, at(1, 1), actorFiles);
    file("c", "c");
    BackupReceipt next = newBackups().backup(ACTOR, at(2, 2), actorFiles);
    assertThat(next.uploadedFiles()).isEqualTo(1);
  }

  @Test
  void unchangedFilesAreNotReadAgain() throws IOException {
    file("old", "settled long ago");
    backups.backup(ACTOR, at(1, 1), actorFiles);
    FileTime time = Files.getLastModifiedTime(actorFiles.resolve("old"));
    Files.writeString(actorFiles.resolve("old"), "settled LONG ago");
    Files.setLastModifiedTime(actorFiles.resolve("old"), time);
    assertThat(backups.backup(ACTOR, at(1, 2), actorFiles).uploadedFiles()).isZero();
    Files.setLastModifiedTime(actorFiles.resolve("old"), FileTime.fromMillis(1));
    assertThat(backups.backup(ACTOR, at(1, 3), actorFiles).uploadedFiles()).isEqualTo(1);
  }

  @Test
  void hardLinksOfAnUnchangedFileAreRecognised() throws IOException {
    file("old", "settled long ago");
    backups.backup(ACTOR, at(1, 1), actorFiles);
    Path next = Files.createDirectories(directory.resolve("next"));
    Files.createLink(next.resolve("renamed"), actorFiles.resolve("old"));
    assertThat(backups.backup(ACTOR, at(1, 2), next).uploadedFiles()).isZero();
    backups.restore(ACTOR, target("a"));
    assertThat(contents(target("a"))).isEqualTo(Map.of("renamed", "settled long ago"));
  }

  @Test
  void aFileThatChangedJustNowIsReadAgain() throws IOException {
    clock.ahead = Duration.ofMinutes(-1);
    Path young = Files.writeString(actorFiles.resolve("young"), "aaaa");
    FileTime time = Files.getLastModifiedTime(young);
    backups.backup(ACTOR, at(1, 1), actorFiles);
    Files.writeString(young, "bbbb");
    Files.setLastModifiedTime(young, time);
    backups.backup(ACTOR, at(1, 2), actorFiles);
    backups.restore(ACTOR, target("a"));
    assertThat(contents(target("a"))).containsEntry("young", "bbbb");
  }

  @Test
  void aFailedBackupLeavesTheFormerAndIsMadeGood() throws IOException {
    file("a", "a");
    backups.backup(ACTOR, at(1, 1), actorFiles);
    file("b", "b");
    file("c", "c");
    store.putsUntilFailure.set(1);
    DurableStoreContract.assertFails(
        ErrorCode.UNAVAILABLE, () -> backups.backup(ACTOR, at(1, 2), actorFiles));
    assertThat(backups.positions(ACTOR)).containsExactly(at(1, 1));
    store.putsUntilFailure.set(Integer.MAX_VALUE);
    backups.backup(ACTOR, at(1, 2), actorFiles);
    backups.restore(ACTOR, target("a"));
    assertThat(contents(target("a"))).isEqualTo(contents(actorFiles));
  }

  @Test
  void pruningKeepsTwoAndWhatTheyName() throws IOException {
    for (int i = 1; i <= 4; i++) {
      file("changing", "version " + i);
      file("constant", "constant");
      backups.backup(ACTOR, at(1, i), actorFiles);
    }
    backups.prune(ACTOR);
    assertThat(backups.positions(ACTOR)).containsExactly(at(1, 3), at(1, 4));
    assertThat(objects()).as("unreferenced, but young").isEqualTo(5);
    clock.ahead = Duration.ofHours(2);
    backups.prune(ACTOR);
    assertThat(objects()).isEqualTo(3);
    backups.restore(ACTOR, at(1, 3), target("a"));
    assertThat(contents(target("a"))).containsEntry("changing", "version 3");

    file("changing", "version 1");
    assertThat(backups.backup(ACTOR, at(1, 5), actorFiles).uploadedFiles())
        .as("what was pruned is uploaded again")
        .isEqualTo(1);
    backups.restore(ACTOR, target("b"));
  }

  private int objects() {
    int[] count = {0};
    store.list("tables/7/3/objects/", object -> count[0]++);
    return count[0];
  }

  @Test
  void missingAndDamagedFilesAreFoundAndNamed() throws IOException {
    file("a", "content of a");
    backups.backup(ACTOR, at(1, 1), actorFiles);
    String key = "tables/7/3/objects/" + Sha256.of(actorFiles.resolve("a"));
    store.put(key, Content.of("content of B".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    DurableStoreContract.assertFails(ErrorCode.CORRUPT, () -> backups.restore(ACTOR, target("a")))
        .hasMessageContaining(key);
    store.delete(key);
    DurableStoreContract.assertFails(ErrorCode.CORRUPT, () -> backups.restore(ACTOR, target("b")))
        .hasMessageContaining(key);
  }

  @Test
  void aManifestThatIsNoneIsCorrupt() throws IOException {
    file("a", "a");
    backups.backup(ACTOR, at(1, 1), actorFiles);
    String key = "tables/7/3/manifests/0000000000000000001-0000000000000000001";
    byte[] sound = store.get(key, 1000);
    store.put("tables/7/4/manifests/0000000000000000001-0000000000000000001", Content.of(sound));
    DurableStoreContract.assertFails(
            ErrorCode.CORRUPT, () -> backups.restore(new ActorId(7, 4), target("a")))
        .hasMessageContaining("7/3");
    store.put(key, Content.of(new byte[] {1, 2, 3}));
    DurableStoreContract.assertFails(ErrorCode.CORRUPT, () -> backups.restore(ACTOR, target("b")))
        .hasMessageContaining(key);
  }

  @Test
  void aManifestCannotNameFilesElsewhere() {
    for (String name : new String[] {"../x", "/etc/x", "a/../../x", "", "a//b", ".", "a\\b"}) {
      DurableStoreContract.assertFails(
          ErrorCode.INVALID_ARGUMENT,
          () -> new Manifest.StoredFile(name, 1, Sha256.of(new byte[1])));
    }
    assertThat(new Manifest.StoredFile("..a/.b/c..", 1, Sha256.of(new byte[1]))).isNotNull();
  }

  @Test
  void restoresIntoEmptyDirectoriesOnly() throws IOException {
    file("a", "a");
    backups.backup(ACTOR, at(1, 1), actorFiles);
    DurableStoreContract.assertFails(
        ErrorCode.INVALID_ARGUMENT, () -> backups.restore(ACTOR, actorFiles));
  }

  @Test
  void aDroppedTableLeavesNothing() throws IOException {
    file("a", "a");
    backups.backup(ACTOR, at(1, 1), actorFiles);
    backups.backup(new ActorId(70, 0), at(1, 1), actorFiles);
    backups.deleteTable(7);
    assertThat(backups.positions(ACTOR)).isEmpty();
    assertThat(objects()).isZero();
    assertThat(backups.positions(new ActorId(70, 0))).hasSize(1);
  }
}
