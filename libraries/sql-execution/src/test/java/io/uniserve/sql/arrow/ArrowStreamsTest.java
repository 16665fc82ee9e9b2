package io.uniserve.sql.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.Text;
import org.junit.jupiter.api.Test;

class ArrowStreamsTest {
  private static final int ROWS = 100;
  private static final byte[] CONTINUES = {-1, -1, -1, -1};

  private static byte[] block() {
    Schema schema =
        new Schema(
            List.of(
                Field.nullable("number", new ArrowType.Int(64, true)),
                Field.nullable("text", new ArrowType.Utf8())));
    try (BufferAllocator memory = Blocks.newMemory();
        VectorSchemaRoot rows = VectorSchemaRoot.create(schema, memory)) {
      BigIntVector numbers = (BigIntVector) rows.getVector(0);
      VarCharVector texts = (VarCharVector) rows.getVector(1);
      for (int i = 0; i < ROWS; i++) {
        numbers.setSafe(i, i);
        texts.setSafe(i, new Text("text " + i));
      }
      rows.setRowCount(ROWS);
      ByteBuffer block = Blocks.of(rows);
      byte[] bytes = new byte[block.remaining()];
      block.get(bytes);
      return bytes;
    }
  }

  private static long rows(byte[] block) throws IOException {
    AtomicLong sum = new AtomicLong();
    try (BufferAllocator memory = Blocks.newMemory();
        ArrowReader reader = ArrowStreams.reader(ByteBuffer.wrap(block), memory)) {
      while (reader.loadNextBatch()) {
        sum.addAndGet(reader.getVectorSchemaRoot().getRowCount());
      }
    }
    return sum.get();
  }

  @Test
  void aLengthBeyondTheEndIsRefusedBeforeThereIsRoomForIt() {
    byte[] lie = Arrays.copyOf(CONTINUES, 8);
    ByteBuffer.wrap(lie).order(ByteOrder.LITTLE_ENDIAN).putInt(4, Integer.MAX_VALUE);
    assertThatThrownBy(() -> rows(lie))
        .isInstanceOf(IOException.class)
        .hasMessage("a message of 2147483647 bytes, where 0 are left");
  }

  @Test
  void aNegativeLengthIsRefused() {
    byte[] lie = Arrays.copyOf(CONTINUES, 8);
    lie[7] = -128;
    assertThatThrownBy(() -> rows(lie))
        .isInstanceOf(IOException.class)
        .hasMessage("a message of -2147483648 bytes, where 0 are left");
  }

  @Test
  void aBlockThatEndsEarlyIsRefusedUnlessItEndsBetweenMessages() throws Exception {
    byte[] block = block();
    assertThat(rows(block)).isEqualTo(ROWS);
    int refused = 0;
    for (int length = 0; length < block.length; length++) {
      try {
        ArrowStreams.check(ByteBuffer.wrap(block, 0, length), columns -> {});
      } catch (UniserveException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(block.length * 9 / 10).isLessThan(block.length);
  }
}
