package io.uniserve.runtime.server.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointSumsTest {
  @TempDir Path directory;
  private Path checkpoint;

  @BeforeEach
  void fill() throws IOException {
    checkpoint = Files.createDirectory(directory.resolve("one"));
    Files.createDirectories(checkpoint.resolve("engine/deep"));
    Files.writeString(checkpoint.resolve("meta"), "position");
    Files.writeString(checkpoint.resolve("engine/data"), "rows");
    Files.writeString(checkpoint.resolve("engine/deep/empty"), "");
    CheckpointSums.write(checkpoint);
  }

  private static void writeAfter(Path before, Path checkpoint) throws IOException {
    CheckpointSums.write(
        checkpoint,
        CheckpointSums.read(before).map(sums -> new CheckpointSums.Summed(before, sums)));
  }

  private static void assertDamaged(Path checkpoint, String named) {
    assertThatThrownBy(() -> CheckpointSums.check(checkpoint))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT))
        .hasMessageContaining(named);
  }

  private static void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 1;
    Files.write(file, bytes);
  }

  @Test
  void everyFlippedBitOfEveryFileIsNoticed() throws IOException {
    for (String name : List.of("meta", "engine/data", CheckpointSums.FILE)) {
      Path file = checkpoint.resolve(name);
      for (int at = 0; at < Files.size(file); at++) {
        flip(file, at);
        assertDamaged(checkpoint, file.getFileName().toString());
        flip(file, at);
      }
    }
    assertThatCode(() -> CheckpointSums.check(checkpoint)).doesNotThrowAnyException();
  }

  @Test
  void aFileThatIsMissingOrTooMuchOrOfAnotherSizeIsNoticed() throws IOException {
    Path data = checkpoint.resolve("engine/data");
    Files.move(data, checkpoint.resolve("engine/other"));
    assertDamaged(checkpoint, "engine/other");
    Files.move(checkpoint.resolve("engine/other"), data);
    Files.writeString(checkpoint.resolve("engine/more"), "");
    assertDamaged(checkpoint, "engine/more");
    Files.delete(checkpoint.resolve("engine/more"));
    Files.write(data, "rowsrows".getBytes(UTF_8));
    assertDamaged(checkpoint, "data");
    Files.write(checkpoint.resolve(CheckpointSums.FILE), new byte[3]);
    assertDamaged(checkpoint, CheckpointSums.FILE);
  }

  /** Programs of the first version wrote none. */
  @Test
  void onlyACheckpointOfTheFirstVersionMayHaveNoChecksums() throws IOException {
    Files.delete(checkpoint.resolve(CheckpointSums.FILE));
    byte[] meta = CheckpointMeta.FORM.encode(CheckpointMeta.start(0));
    Files.write(checkpoint.resolve("meta"), meta);
    assertDamaged(checkpoint, "its file of checksums is missing");
    meta[1] = 1;
    Files.write(checkpoint.resolve("meta"), meta);
    assertThat(CheckpointSums.check(checkpoint)).isEmpty();
    Files.delete(checkpoint.resolve("meta"));
    assertDamaged(checkpoint, "its file of checksums is missing");
  }

  /** A file that is damaged keeps its former checksum when the next checkpoint links to it. */
  @Test
  void damageOfALinkedFileStaysDamage() throws IOException {
    flip(checkpoint.resolve("engine/data"), 1);
    Path next = Files.createDirectories(directory.resolve("two/engine")).getParent();
    Files.createLink(next.resolve("engine/data"), checkpoint.resolve("engine/data"));
    Files.writeString(next.resolve("meta"), "later position");
    writeAfter(checkpoint, next);
    assertDamaged(next, "data");
  }

  @Test
  void aFileThatWasWrittenAnewUnderTheSameNameHasAChecksumOfItsOwn() throws IOException {
    Path next = Files.createDirectories(directory.resolve("two/engine")).getParent();
    Files.writeString(next.resolve("engine/data"), "rowz");
    Files.writeString(next.resolve("meta"), "later position");
    writeAfter(checkpoint, next);
    assertThatCode(() -> CheckpointSums.check(next)).doesNotThrowAnyException();
  }
}
