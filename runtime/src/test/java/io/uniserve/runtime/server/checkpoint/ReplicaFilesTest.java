package io.uniserve.runtime.server.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.production.FileStorage;
import java.io.IOException;
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

  /** A disk whose next deletion fails. */
  private static final class FailingOnce implements ForwardingStorage {
    private final Storage disk;
    private boolean fails;

    FailingOnce(Storage disk) {
      this.disk = disk;
    }

    @Override
    public Storage disk() {
      return disk;
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
