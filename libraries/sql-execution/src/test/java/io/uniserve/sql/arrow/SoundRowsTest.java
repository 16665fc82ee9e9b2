package io.uniserve.sql.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.util.Text;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SoundRowsTest {
  private static final int ROWS = 3;

  private final BufferAllocator memory = new RootAllocator();
  private final VarCharVector texts = new VarCharVector("texts", memory);
  private final LargeVarCharVector longer = new LargeVarCharVector("longer", memory);

  SoundRowsTest() {
    for (int i = 0; i < ROWS; i++) {
      texts.setSafe(i, new Text("text " + i));
      longer.setSafe(i, new Text("text " + i));
    }
    texts.setValueCount(ROWS);
    longer.setValueCount(ROWS);
  }

  @AfterEach
  void close() {
    texts.close();
    longer.close();
    memory.close(); // fails if anything is left
  }

  private static VectorSchemaRoot rows(FieldVector column) {
    return new VectorSchemaRoot(
        List.of(column.getField()), List.of(column), column.getValueCount());
  }

  private static void assertRefused(FieldVector column, ErrorCode code, String why) {
    assertThatThrownBy(() -> SoundRows.require(rows(column)))
        .isInstanceOfSatisfying(UniserveException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(why);
  }

  @Test
  void whatIsAsItSaysIsTaken() {
    try (NullVector nothing = new NullVector("nothing", ROWS);
        VarCharVector none = new VarCharVector("none", memory);
        VectorSchemaRoot some = rows(texts).slice(1, 2)) {
      for (FieldVector column : List.of(texts, longer, nothing, none)) {
        assertThatCode(() -> SoundRows.require(rows(column))).doesNotThrowAnyException();
      }
      assertThatCode(() -> SoundRows.require(some)).doesNotThrowAnyException();
    }
  }

  @Test
  void aTextBeyondTheEndIsRefused() {
    texts.getOffsetBuffer().setInt(ROWS * VarCharVector.OFFSET_WIDTH, Integer.MAX_VALUE);
    assertRefused(texts, ErrorCode.INVALID_ARGUMENT, "'texts'");
    longer.getOffsetBuffer().setLong(ROWS * LargeVarCharVector.OFFSET_WIDTH, Long.MAX_VALUE);
    assertRefused(longer, ErrorCode.INVALID_ARGUMENT, "'longer'");
  }

  /** Checks offsets of which only the last is right. */
  @Test
  void aTextThatEndsBeforeItBeginsIsRefused() {
    texts.getOffsetBuffer().setInt(VarCharVector.OFFSET_WIDTH, Integer.MAX_VALUE);
    assertRefused(
        texts, ErrorCode.INVALID_ARGUMENT, "'texts': a value ends at 12, before 2147483647");
    longer.getOffsetBuffer().setLong(0, -1);
    assertRefused(longer, ErrorCode.INVALID_ARGUMENT, "'longer': a value ends at -1, before 0");
  }

  @Test
  void moreNumbersThanThereAreAreRefused() {
    try (BigIntVector numbers = new BigIntVector("numbers", memory);
        ArrowBuf valid = memory.buffer(1_000);
        ArrowBuf values = memory.buffer(64)) {
      numbers.loadFieldBuffers(new ArrowFieldNode(1_000, 0), List.of(valid, values));
      assertRefused(numbers, ErrorCode.INVALID_ARGUMENT, "'numbers' is damaged");
    }
  }

  /** They are not even read. */
  @Test
  void valuesWithinValuesAreNoValues() {
    try (ListVector lists = ListVector.empty("lists", memory)) {
      lists.startNewValue(0);
      lists.endValue(0, 0);
      lists.setValueCount(1);
      assertThatThrownBy(() -> ArrowValue.of(lists, 0))
          .isInstanceOfSatisfying(
              UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
          .hasMessageContaining("'lists' has values of type List");
    }
  }
}
