package io.uniserve.kernel.production;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.kernel.AppendFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a name which was made, changed or deleted is on the disk: the directory that has it is
 * forced. The Java platform records which files it forces, so nothing stands between the storage
 * and the disk.
 */
class ForcedDirectoriesTest {
  private static final String FORCE = "jdk.FileForce";

  @TempDir private Path directory;
  private FileStorage storage;
  private Path root;

  @BeforeEach
  void open() throws IOException {
    storage = new FileStorage(directory.resolve("process"));
    root = storage.root();
  }

  /** A use of the storage. */
  private interface Use {
    void run() throws IOException;
  }

  /** Returns the paths that are forced, in their order. */
  private List<Path> forced(Use use) throws IOException {
    Path file = Files.createTempFile(directory, "forces", ".jfr");
    try (Recording recording = new Recording()) {
      recording.enable(FORCE).withoutThreshold().withoutStackTrace();
      recording.start();
      use.run();
      recording.stop();
      recording.dump(file);
    }
    List<Path> paths = new ArrayList<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      paths.add(Path.of(event.getString("path")));
    }
    return paths;
  }

  @Test
  void aNewDirectoryIsForcedInEachOfItsParents() throws IOException {
    assertThat(forced(() -> storage.createDirectories(root.resolve("a/b/c"))))
        .containsExactly(root, root.resolve("a"), root.resolve("a/b"));
    assertThat(forced(() -> storage.createDirectories(root.resolve("a/b/c")))).isEmpty();
  }

  @Test
  void theRootOfAStorageIsForcedInItsParents() throws IOException {
    Path below = directory.toRealPath().resolve("other");
    assertThat(forced(() -> new FileStorage(below.resolve("process"))))
        .containsExactly(below.getParent(), below);
  }

  @Test
  void aNewLogIsForcedInAllDirectoriesUpToTheRoot() throws IOException {
    Path home = storage.createDirectories(root.resolve("a/b"));
    List<AppendFile> opened = new ArrayList<>();
    assertThat(forced(() -> opened.add(storage.append(home.resolve("log")))))
        .containsExactly(home, root.resolve("a"), root);
    opened.getFirst().close();
  }

  @Test
  void whatIsReplacedIsForcedInItsDirectory() throws IOException {
    assertThat(forced(() -> storage.replace(root.resolve("state"), new byte[3])))
        .containsExactly(root);
    assertThat(forced(() -> storage.replace(root.resolve("state"), new byte[4])))
        .containsExactly(root);
  }

  @Test
  void whatIsRenamedIsForcedWhereItIsNow() throws IOException {
    Path there = storage.createDirectories(root.resolve("there"));
    Path file = Files.createFile(root.resolve("one"));
    assertThat(forced(() -> storage.rename(file, there.resolve("two")))).contains(there);
  }

  @Test
  void whatIsDeletedIsForcedInItsDirectory() throws IOException {
    Path home = storage.createDirectories(root.resolve("home"));
    Path file = Files.createFile(home.resolve("one"));
    assertThat(forced(() -> storage.delete(file))).containsExactly(home);
    assertThat(forced(() -> storage.delete(file))).isEmpty();
    Files.createFile(home.resolve("two"));
    assertThat(forced(() -> storage.deleteTree(home))).containsExactly(root);
  }

  @Test
  void aTreeIsForcedWithEveryFileBeforeItsDirectory() throws IOException {
    Path tree = Files.createDirectories(root.resolve("tree/inside"));
    Path file = Files.writeString(tree.resolve("file"), "x");
    assertThat(forced(() -> storage.force(tree.getParent())))
        .containsExactly(file, tree, tree.getParent(), root);
  }
}
