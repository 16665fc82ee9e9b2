package io.uniserve.engines.olap.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.testkit.forms.GoldenForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.druid.query.groupby.ResultRow;
import org.junit.jupiter.api.Test;

/** Tests of the form in which grouped rows travel. */
class RowBlockTest {
  private static final Path GOLDEN =
      Path.of("src/test/resources/io/uniserve/engines/olap/forms/row-block-1.golden");

  private static final List<ResultRow> ROWS =
      List.of(
          ResultRow.of(60_000L, null, 0.1, null),
          ResultRow.of(60_000L, "", -0.0, null),
          ResultRow.of(60_001L, "\u00e9\ud83d\ude00", null, null),
          ResultRow.of(Long.MIN_VALUE, "page", Double.NaN, null));

  @Test
  void aBlockHasTheBytesOfItsVersion() throws IOException {
    byte[] written = RowBlock.written(ROWS).orElseThrow();
    if (Boolean.getBoolean(GoldenForm.WRITE)) {
      Files.writeString(GOLDEN, HexFormat.of().formatHex(written) + System.lineSeparator());
    }

    assertThat(HexFormat.of().formatHex(written)).isEqualTo(Files.readString(GOLDEN).strip());
    assertThat(RowBlock.is(written)).isTrue();
    assertThat(RowBlock.read(written)).isEqualTo(ROWS);
  }

  @Test
  void otherValuesAreInNoBlock() {
    assertThat(RowBlock.written(List.of(ResultRow.of("a", new Object())))).isEmpty();
    assertThat(RowBlock.written(List.of(ResultRow.of(1L), ResultRow.of(1.5)))).isEmpty();
    assertThat(RowBlock.written(List.of("no row"))).isEmpty();
  }

  @Test
  void damageIsTold() {
    byte[] written = RowBlock.written(ROWS).orElseThrow();

    assertThatThrownBy(() -> RowBlock.read(Arrays.copyOf(written, written.length - 1)))
        .isInstanceOf(UniserveException.class);
  }
}
