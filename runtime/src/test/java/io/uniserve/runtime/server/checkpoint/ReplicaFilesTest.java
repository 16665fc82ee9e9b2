package io.uniserve.runtime.server.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaFilesTest {
  @TempDir private Path directory;

  @Test
  void whatADiskFailedToDeleteIsDeletedLater() throws IOException {
    FailingOnce disk = new FailingOnce(new FileStorage(directory));
    ReplicaFiles files = new ReplicaFiles(disk, directory.resolve("actor"));
    Path life = files.newLife();
    disk.fails = true;
    assertThatThrownBy(() -> files.delete(life)).hasMessage("Input/output error");
    assertThat(life).exists();
    files.settle();
    assertThat(life).doesNotExist();
  }

  /** A checkpoint that the disk cannot delete was read all the same. */
  @Test
  void aReaderOfACheckpointDoesNotFailForWhatCannotBeDeletedThen() throws IOException {
    FailingOnce disk = new FailingOnce(new FileStorage(directory));
    ReplicaFiles files = new ReplicaFiles(disk, directory.resolve("actor"));
    Checkpoint read = files.finish(written(files, 1), at(1));
    files.pin(read);
    files.finish(written(files, 2), at(2));
    disk.fails = true;
    files.unpin(read);
    assertThat(read.directory()).exists();
    files.finish(written(files, 3), at(3));
    assertThat(read.directory()).doesNotExist();
  }

  private static Path written(ReplicaFiles files, long sequence) throws IOException {
    Path begun = files.begin();
    at(sequence).write(begun);
    return begun;
  }

  /** The checksum of a linked file is not computed again: the file may have rotted. */
  @Test
  void damageOfALinkedFileIsNoticedAlthoughTheChecksumsOfTheFormerCheckpointAreDamagedToo()
      throws IOException {
    ReplicaFiles files = new ReplicaFiles(new FileStorage(directory), directory.resolve("actor"));
    Path first = files.begin();
    Files.writeString(first.resolve("rows"), "one");
    Checkpoint before = files.finish(first, at(1));
    Path second = files.begin();
    Files.createLink(second.resolve("rows"), before.directory().resolve("rows"));
    Files.writeString(before.directory().resolve("rows"), "two");
    Files.writeString(before.directory().resolve(CheckpointSums.FILE), "damaged");
    Checkpoint after = files.finish(second, at(2));
    assertThatThrownBy(() -> files.check(after))
        .isInstanceOf(DamagedCopyException.class)
        .hasMessageContaining("rows");
  }

  @Test
  void noCheckpointIsMadeFromOneWhoseChecksumsAreDamagedAndUnknown() throws IOException {
    ReplicaFiles files = new ReplicaFiles(new FileStorage(directory), directory.resolve("actor"));
    Checkpoint before = files.finish(files.begin(), at(1));
    Files.writeString(before.directory().resolve(CheckpointSums.FILE), "damaged");
    ReplicaFiles again = new ReplicaFiles(new FileStorage(directory), directory.resolve("actor"));
    Path next = again.begin();
    assertThatThrownBy(() -> again.finish(next, at(2)))
        .isInstanceOf(DamagedCopyException.class)
        .hasMessageContaining(CheckpointSums.FILE);
  }

  /** A failed force may drop what the system could not write. */
  @Test
  void aLoadedCheckpointThatCouldNotBeForcedIsNotTrusted() throws IOException {
    FailingOnce disk = new FailingOnce(new FileStorage(directory));
    ReplicaFiles files = new ReplicaFiles(disk, directory.resolve("actor"));
    Path loaded = files.begin();
    at(1).write(loaded);
    CheckpointSums.write(loaded);
    files.adopt(loaded);
    disk.failsToForce = true;
    assertThatThrownBy(files::settle)
        .isInstanceOf(DamagedCopyException.class)
        .hasMessageContaining("could not be forced");
    files.settle();
    assertThat(files.newest()).isEmpty();
  }

  private static CheckpointMeta at(long sequence) {
    return new CheckpointMeta(new Position(1, sequence), 0, 0, 0);
  }

  /** A disk whose next deletion or force fails. */
  private static final class FailingOnce implements ForwardingStorage {
    private final Storage disk;
    private boolean fails;
    private boolean failsToForce;

    FailingOnce(Storage disk) {
      this.disk = disk;
    }

    @Override
    public Storage disk() {
      return disk;
    }

    @Override
    public void force(Path path) throws IOException {
      if (failsToForce) {
        failsToForce = false;
        throw new IOException("Input/output error");
      }
      disk.force(path);
    }

    @Override
    public void deleteTree(Path path) throws IOException {
      if (fails) {
        fails = false;
        throw new IOException("Input/output error");
      }
      disk.deleteTree(path);
    }
  }
}
