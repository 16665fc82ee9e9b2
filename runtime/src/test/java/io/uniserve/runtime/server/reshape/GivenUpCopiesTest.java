package io.uniserve.runtime.server.reshape;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.production.FileStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The deletion of copies that nobody wants any more, on a disk that fails. */
class GivenUpCopiesTest {
  private static final ActorId ID = new ActorId(1, 2);

  @TempDir Path directory;

  private FailingOnce disk;
  private GivenUpCopies copies;
  private Path copy;

  /** A disk that fails to delete once. */
  private static final class FailingOnce implements ForwardingStorage {
    private final Storage storage;
    private boolean fails = true;

    FailingOnce(Storage storage) {
      this.storage = storage;
    }

    @Override
    public Storage disk() {
      return storage;
    }

    @Override
    public void deleteTree(Path path) throws IOException {
      if (fails) {
        fails = false;
        throw new IOException("Input/output error");
      }
      storage.deleteTree(path);
    }
  }

  @BeforeEach
  void giveUp() throws IOException {
    disk = new FailingOnce(new FileStorage(directory));
    copies = new GivenUpCopies(disk, id -> directory.resolve(id.toString().replace('/', '-')));
    copy = Files.createDirectory(directory.resolve("1-2"));
    Files.writeString(copy.resolve("rows"), "some");
    copies.add(ID);
  }

  @Test
  void whatCouldNotBeDeletedIsDeletedAtTheNextCall() {
    copies.delete(id -> false);
    assertThat(copy).exists();
    copies.delete(id -> false);
    assertThat(copy).doesNotExist();
  }

  @Test
  void whatAnotherCopyHasByNowIsNeverDeleted() {
    copies.delete(id -> false);
    copies.delete(ID::equals);
    copies.delete(id -> false);
    assertThat(copy.resolve("rows")).exists();
  }
}
