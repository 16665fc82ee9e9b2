package io.uniserve.kernel.production;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.kernel.AppendFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStorageTest {
  @TempDir Path directory;
  private FileStorage storage;

  @BeforeEach
  void open() throws IOException {
    storage = new FileStorage(directory.resolve("process"));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  @Test
  void appendsAndReopensAtTheEnd() throws IOException {
    Path log = storage.root().resolve("log");
    try (AppendFile file = storage.append(log)) {
      ByteBuffer part = bytes("xabcx").position(1).limit(4);
      file.append(part);
      assertThat(part.remaining()).isEqualTo(3);
      file.append(ByteBuffer.allocateDirect(2).put((byte) 'd').put((byte) 'e').flip());
      file.force();
      assertThat(file.size()).isEqualTo(5);
    }
    try (AppendFile file = storage.append(log)) {
      assertThat(file.size()).isEqualTo(5);
      file.append(bytes("f"));
      file.truncate(4);
      file.append(bytes("g"));
      file.force();
    }
    assertThat(log).hasContent("abcdg");
  }

  @Test
  void aDirectBufferOfAnySizeIsWrittenWhole() throws IOException {
    Path log = storage.root().resolve("log");
    ByteBuffer large = ByteBuffer.allocateDirect(200_001);
    for (int i = 0; large.hasRemaining(); i++) {
      large.put((byte) (i * 31));
    }
    try (AppendFile file = storage.append(log)) {
      file.append(large.flip());
    }
    byte[] read = Files.readAllBytes(log);
    assertThat(ByteBuffer.wrap(read)).isEqualTo(large);
  }

  @Test
  void cannotBeCutToMoreThanItHas() throws IOException {
    try (AppendFile file = storage.append(storage.root().resolve("log"))) {
      assertThatThrownBy(() -> file.truncate(1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("log");
    }
  }

  @Test
  void anInterruptedThreadDoesNotCloseTheFile() throws IOException {
    try (AppendFile file = storage.append(storage.root().resolve("log"))) {
      Thread.currentThread().interrupt();
      try {
        file.append(bytes("a"));
        file.force();
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
      file.append(bytes("b"));
      assertThat(storage.root().resolve("log")).hasContent("ab");
    }
  }

  @Test
  void manyForceWhileOneAppends() throws Exception {
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    try (AppendFile file = storage.append(storage.root().resolve("log"))) {
      List<Thread> forcing = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        forcing.add(Thread.ofVirtual().start(() -> forceRepeatedly(file, failures)));
      }
      for (int i = 0; i < 500; i++) {
        file.append(bytes("0123456789"));
      }
      for (Thread thread : forcing) {
        thread.join();
      }
      assertThat(file.size()).isEqualTo(5000);
    }
    assertThat(failures).isEmpty();
  }

  private static void forceRepeatedly(AppendFile file, ConcurrentLinkedQueue<Throwable> failures) {
    try {
      for (int i = 0; i < 20; i++) {
        file.force();
      }
    } catch (IOException e) {
      failures.add(e);
    }
  }

  @Test
  void whatAFormerProcessWroteIsForcedAnewAndNothingTwice() throws IOException {
    Path log = storage.root().resolve("log");
    AtomicInteger syncs = new AtomicInteger();
    ForcedFile.Disk disk = file -> syncs.incrementAndGet();
    try (AppendFile file = new ForcedFile(log, disk)) {
      file.append(bytes("written, not forced"));
    }
    try (AppendFile file = new ForcedFile(log, disk)) {
      file.force();
      assertThat(syncs).hasValue(1);
      file.force();
      assertThat(syncs).hasValue(1);
      file.append(bytes("more"));
      file.force();
      assertThat(syncs).hasValue(2);
    }
  }

  @Test
  void createsDirectoriesRenamesAndDeletes() throws IOException {
    Path deep = storage.createDirectories(storage.root().resolve("a/b/c"));
    assertThat(deep).isDirectory();
    assertThat(storage.createDirectories(deep)).isEqualTo(deep);
    Path file = Files.write(deep.resolve("one"), new byte[3]);
    assertThatThrownBy(() -> storage.createDirectories(file.resolve("below")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("one");
    storage.rename(file, deep.resolve("two"));
    assertThat(file).doesNotExist();
    storage.delete(deep.resolve("two"));
    storage.delete(deep.resolve("two"));
    assertThat(deep).isEmptyDirectory();
  }

  @Test
  void aFullDiskLeavesTheFormerSizeOrAnUnusableFile() throws IOException {
    AppendFile full = new ForcedFile(Path.of("/dev/full"));
    assertThatThrownBy(() -> full.append(bytes("a"))).isInstanceOf(IOException.class);
    assertThat(full.size()).isZero();
    assertThatThrownBy(() -> full.append(bytes("b")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("unusable");
    full.close();
  }

  @Test
  void replacesWholeFilesAndLeavesNothingBeside() throws IOException {
    Path file = storage.root().resolve("state");
    storage.replace(file, "one".getBytes(UTF_8));
    storage.replace(file, "two".getBytes(UTF_8));
    assertThat(file).hasContent("two");
    assertThat(storage.root()).isDirectoryContaining(path -> path.equals(file));
    try (var all = Files.list(storage.root())) {
      assertThat(all).hasSize(1);
    }
  }

  @Test
  void aReplacementThatFailsKeepsTheOldFile() throws IOException {
    Path taken = Files.createDirectories(storage.root().resolve("taken/inside"));
    assertThatThrownBy(() -> storage.replace(taken.getParent(), new byte[3]))
        .isInstanceOf(IOException.class);
    assertThat(taken).exists();
    try (var all = Files.list(storage.root())) {
      assertThat(all).hasSize(1);
    }
  }

  @Test
  void forcesAndDeletesTrees() throws IOException {
    Path tree = Files.createDirectories(storage.root().resolve("a/b/c"));
    Files.writeString(tree.resolve("file"), "x");
    Path outside = Files.writeString(directory.resolve("outside"), "stays");
    Files.createSymbolicLink(tree.resolve("link"), outside);
    storage.force(storage.root().resolve("a"));
    storage.force(tree.resolve("file"));
    storage.deleteTree(storage.root().resolve("a"));
    storage.deleteTree(storage.root().resolve("a"));
    assertThat(storage.root().resolve("a")).doesNotExist();
    assertThat(outside).hasContent("stays");
    assertThatThrownBy(() -> storage.force(tree)).isInstanceOf(IOException.class);
  }
}
