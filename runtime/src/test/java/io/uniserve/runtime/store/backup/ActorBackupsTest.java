package io.uniserve.runtime.store.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStoreContract;
import io.uniserve.runtime.store.Sha256;
import io.uniserve.runtime.store.backup.HistoryItem.Checkpoint;
import io.uniserve.runtime.store.backup.HistoryItem.EpochStart;
import io.uniserve.runtime.store.backup.HistoryItem.Log;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The upload and restore of files, and their damage. */
class ActorBackupsTest extends BackupsFixture {
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

  /** Files that the store has already are not compared: the checkpoint's checksums name them. */
  @Test
  void whatIsDamagedOnTheDiskIsNotStored() throws IOException {
    file("old", "one");
    file("changed", "two");
    backUp(at(1, 1));
    file("changed", "rotten");
    file("new", "three");
    store.puts.clear();
    List<String> compared = new ArrayList<>();

    assertThatThrownBy(
            () ->
                backups.checkpoint(
                    PLACE,
                    new Checkpoint(1, at(1, 2), clock.now().toEpochMilli()),
                    backups.history(PLACE),
                    actorFiles,
                    names -> {
                      compared.addAll(names);
                      throw new UniserveException(ErrorCode.CORRUPT, "'changed' is damaged");
                    }))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("'changed' is damaged");

    assertThat(compared).containsExactlyInAnyOrder("changed", "new");
    assertThat(store.puts).isEmpty();
    assertThat(positions()).containsExactly(at(1, 1));
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

  private List<String> read(Log log) {
    return backups.read(PLACE, log).stream()
        .map(bytes -> UTF_8.decode(bytes.duplicate()).toString())
        .toList();
  }

  @Test
  void logObjectsAreReadAndMerged() {
    backups.open(PLACE, new EpochStart(1, Position.START, true, 0));
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
  void aDamagedManifestDoesNotKeepTheNextPrimaryFromMakingACheckpoint() throws IOException {
    file("a", "a");
    backUp(at(1, 1));
    Checkpoint damaged = backups.history(PLACE).checkpoints().getFirst();
    store.put(KEYS + "history/" + damaged.name(), Content.of(new byte[] {1, 2, 3}));
    assertThat(backUp(newBackups(), at(2, 2), actorFiles).uploadedFiles()).isEqualTo(1);
    restore(at(2, 2), "b");
    assertThat(target("b").resolve("a")).hasContent("a");
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

  /** As after a write whose answer was lost. */
  @Test
  void updatesThatAreDamagedBeforeTheyAreStoredForSureAreStoredAgain() {
    Log log = append(1, Position.START, at(1, 2), "a", "b");
    store.put(BackupKeys.item(PLACE, log), Content.of("rotten".getBytes(UTF_8)));
    append(1, Position.START, at(1, 2), "a", "b");
    assertThat(backups.read(PLACE, log)).hasSize(2);
    assertThatThrownBy(() -> append(1, Position.START, at(1, 2), "a", "c"))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT))
        .hasMessageContaining("it has other updates");
  }
}
