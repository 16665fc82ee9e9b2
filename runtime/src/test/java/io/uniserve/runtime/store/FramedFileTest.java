package io.uniserve.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.runtime.store.FramedFile.Damage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FramedFileTest {
  @TempDir Path directory;
  private Storage storage;
  private Path path;

  @BeforeEach
  void open() throws IOException {
    storage = new FileStorage(directory);
    path = directory.resolve("frames");
  }

  /** Logs of former releases are read, so these bytes never change. */
  @Test
  void framesAndMarksHaveTheirBytes() throws IOException {
    write("one");
    markForced("2");
    write("three");
    byte[] golden =
        HexFormat.ofDelimiter(" ")
            .parseHex(
                "00 00 00 03 2a 94 b2 e9 6f 6e 65"
                    + " 00 00 00 01 83 a5 6a 17 32"
                    + " ff ff ff ff 5b ec e2 fa"
                    + " 00 00 00 05 1c 44 51 bc 74 68 72 65 65");
    assertThat(Files.readAllBytes(path)).isEqualTo(golden);
    Files.write(path, golden);
    assertThat(read(Damage.UNFINISHED_LAST)).containsExactly("one", "2", "three");
  }

  @Test
  void framesAreReadBackInOrderAndByOffset() throws IOException {
    List<Long> offsets = write("one", "2", "three");
    try (FramedFile file =
        FramedFile.open(storage, path, Damage.UNFINISHED_LAST, (offset, bytes) -> {})) {
      assertThat(text(file.read(offsets.get(2)))).isEqualTo("three");
      assertThat(text(file.read(offsets.get(1)))).isEqualTo("2");
    }
    assertThat(read(Damage.UNFINISHED_LAST)).containsExactly("one", "2", "three");
  }

  @Test
  void whateverIsMissingOfTheLastFrameItIsCutOffAndTheNextFollowsCleanly() throws IOException {
    write("one", "two");
    byte[] whole = Files.readAllBytes(path);
    int firstFrame = 8 + 3;
    for (int size = firstFrame; size < whole.length; size++) {
      Files.write(path, java.util.Arrays.copyOf(whole, size));
      assertThat(read(Damage.UNFINISHED_LAST)).as("cut to %d bytes", size).containsExactly("one");
      assertThat(Files.size(path)).isEqualTo(firstFrame);
    }
    write("three");
    assertThat(read(Damage.UNFINISHED_LAST)).containsExactly("one", "three");
  }

  @Test
  void aDamagedLastFrameIsCutOff() throws IOException {
    write("one", "two");
    flip(Files.size(path) - 1);
    assertThat(read(Damage.UNFINISHED_LAST)).containsExactly("one");
  }

  @Test
  void damageInTheMiddleIsAnErrorWhereFramesWereForced() throws IOException {
    write("one", "two", "three");
    flip(9);
    assertThatThrownBy(() -> read(Damage.UNFINISHED_LAST))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining(path.toString())
        .extracting(e -> ((UniserveException) e).code())
        .isEqualTo(ErrorCode.CORRUPT);
  }

  @Test
  void damageInTheMiddleEndsAFileThatWasNotForced() throws IOException {
    write("one", "two", "three");
    flip(8 + 3 + 9);
    assertThat(read(Damage.UNFORCED_TAIL)).containsExactly("one");
    assertThat(read(Damage.UNFINISHED_LAST)).containsExactly("one");
  }

  @Test
  void zeroesThatACrashOfTheMachineLeftAtTheEndAreCutOff() throws IOException {
    write("one");
    byte[] whole = Files.readAllBytes(path);
    Files.write(path, java.util.Arrays.copyOf(whole, whole.length + 100));
    assertThat(read(Damage.UNFORCED_TAIL)).containsExactly("one");
    Files.write(path, java.util.Arrays.copyOf(whole, whole.length + 100));
    assertThat(read(Damage.UNFINISHED_LAST)).containsExactly("one");
    assertThat(Files.size(path)).isEqualTo(whole.length);
  }

  @Test
  void aDamagedLastFrameThatIsMarkedAsForcedIsAnError() throws IOException {
    write("one");
    markForced("two");
    byte[] whole = Files.readAllBytes(path);
    for (int at = 8 + 3; at < whole.length - 8; at++) {
      Files.write(path, whole);
      flip(at);
      assertThatThrownBy(() -> read(Damage.UNFINISHED_LAST))
          .as("bit at byte %d", at)
          .isInstanceOf(UniserveException.class)
          .hasMessageContaining("not the last");
    }
  }

  @Test
  void aDamagedOrUnfinishedMarkTakesNothingWithIt() throws IOException {
    write("one");
    markForced("two");
    byte[] whole = Files.readAllBytes(path);
    for (int at = whole.length - 8; at < whole.length; at++) {
      Files.write(path, whole);
      flip(at);
      assertThat(read(Damage.UNFINISHED_LAST)).as("bit at %d", at).containsExactly("one", "two");
      Files.write(path, java.util.Arrays.copyOf(whole, at));
      assertThat(read(Damage.UNFINISHED_LAST)).as("cut at %d", at).containsExactly("one", "two");
    }
    markForced("three");
    assertThat(read(Damage.UNFINISHED_LAST)).containsExactly("one", "two", "three");
  }

  @Test
  void whoeverAsksIsToldOfDamageAndNothingIsCutOff() throws IOException {
    write("one", "two", "three");
    flip(8 + 3 + 9);
    long size = Files.size(path);
    try (FramedFile file = FramedFile.open(storage, path, Damage.TOLD, (offset, bytes) -> {})) {
      FramedFile.Tail tail = file.tail().orElseThrow();
      assertThat(tail.offset()).isEqualTo(8 + 3);
      assertThat(tail.sizeBytes()).isEqualTo(size - 8 - 3);
      assertThat(tail.followed()).as("by 'three'").isTrue();
    }
    assertThat(Files.size(path)).isEqualTo(size);
  }

  private void markForced(String frame) throws IOException {
    try (FramedFile file =
        FramedFile.open(storage, path, Damage.UNFINISHED_LAST, (offset, bytes) -> {})) {
      file.append(bytes(frame));
      file.force();
      file.mark();
    }
  }

  @Test
  void anEmptyFrameIsRefusedSinceItCouldNotBeToldFromZeroes() {
    assertThatThrownBy(() -> write(""))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("empty");
  }

  @Test
  void truncatingTakesFramesBack() throws IOException {
    List<Long> offsets = write("one", "two");
    try (FramedFile file =
        FramedFile.open(storage, path, Damage.UNFINISHED_LAST, (offset, bytes) -> {})) {
      file.truncate(offsets.get(1));
      file.append(bytes("other"));
    }
    assertThat(read(Damage.UNFINISHED_LAST)).containsExactly("one", "other");
  }

  private List<Long> write(String... frames) throws IOException {
    List<Long> offsets = new ArrayList<>();
    try (FramedFile file =
        FramedFile.open(storage, path, Damage.UNFINISHED_LAST, (offset, bytes) -> {})) {
      for (String frame : frames) {
        offsets.add(file.append(bytes(frame)));
      }
      file.force();
    }
    return offsets;
  }

  private List<String> read(Damage damage) throws IOException {
    List<String> frames = new ArrayList<>();
    FramedFile.open(storage, path, damage, (offset, bytes) -> frames.add(text(bytes))).close();
    return frames;
  }

  private void flip(long at) throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    bytes[(int) at] ^= 1;
    Files.write(path, bytes);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }
}
