package io.uniserve.engines.olap.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.testkit.forms.GoldenForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the bytes of a saved state, which lie in checkpoints and backups. */
class SavedStateTest {
  private static final Path FORMS = Path.of("src/test/resources/io/uniserve/engines/olap/forms");
  private static final String FILE = "datasource";

  private static final List<List<OlapRow>> PARTS =
      List.of(
          List.of(new OlapRow(60_000, -5, 61_500, Map.of("tags", List.of("a", 7L, 1.5, true)))),
          List.of());

  private static final SavedState STATE =
      new SavedState(
          SavedState.VERSION,
          7,
          List.of(3L, 5L),
          PARTS,
          List.of(new SavedState.Merging(6, List.of(3L, 5L))));

  @TempDir private Path directory;

  private static Path golden(int version) {
    return FORMS.resolve("saved-state-" + version + ".golden");
  }

  private SavedState read(byte[] bytes) throws IOException {
    Files.write(directory.resolve(FILE), bytes);
    return SavedState.read(directory);
  }

  private static byte[] bytes(int version) throws IOException {
    return HexFormat.of().parseHex(Files.readString(golden(version)).strip());
  }

  @Test
  void aStateHasTheBytesOfItsVersion() throws IOException {
    STATE.write(directory);
    byte[] written = Files.readAllBytes(directory.resolve(FILE));
    if (Boolean.getBoolean(GoldenForm.WRITE)) {
      Files.writeString(
          golden(SavedState.VERSION), HexFormat.of().formatHex(written) + System.lineSeparator());
    }
    assertThat(HexFormat.of().formatHex(written))
        .isEqualTo(HexFormat.of().formatHex(bytes(SavedState.VERSION)));
    assertThat(read(written)).isEqualTo(STATE);
  }

  @Test
  void bytesOfTheFirstVersionAreRead() throws IOException {
    assertThat(read(bytes(1))).isEqualTo(new SavedState(1, 7, List.of(3L, 5L), PARTS, List.of()));
  }

  @Test
  void aVersionThatIsNotKnownIsRefused() {
    SavedState later = new SavedState(SavedState.VERSION + 1, 0, List.of(), List.of(), List.of());

    assertThatThrownBy(
            () -> {
              later.write(directory);
              SavedState.read(directory);
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("version 3, not 1 to 2");
  }
}
