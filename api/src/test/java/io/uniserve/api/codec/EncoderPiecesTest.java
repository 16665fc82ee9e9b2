package io.uniserve.api.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EncoderPiecesTest {
  private static final int PIECE_MIN = 100;

  private static byte[] joined(List<ByteBuffer> pieces) {
    ByteBuffer all = ByteBuffer.allocate(pieces.stream().mapToInt(ByteBuffer::remaining).sum());
    pieces.forEach(piece -> all.put(piece.duplicate()));
    return all.array();
  }

  private static ByteBuffer some(Random random) {
    byte[] bytes = new byte[random.nextInt(2 * PIECE_MIN)];
    random.nextBytes(bytes);
    int begin = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
    return ByteBuffer.wrap(bytes, begin, bytes.length - begin);
  }

  @Test
  void piecesPutTogetherAreWhatAnotherEncoderWrites() {
    Random random = new Random(1);
    Encoder pieces = Encoder.inPieces(PIECE_MIN);
    Encoder whole = new Encoder();
    for (int round = 0; round < 50; round++) {
      for (int i = random.nextInt(40); i > 0; i--) {
        ByteBuffer value = some(random);
        for (Encoder out : List.of(pieces, whole)) {
          out.writeLong(i);
          out.writeBytes(value);
          assertThat(value.remaining())
              .as("its position stays")
              .isEqualTo(value.slice().capacity());
        }
      }
      assertThat(pieces.size()).isEqualTo(whole.size());
      assertThat(joined(pieces.toPieces())).isEqualTo(whole.toByteArray());
      if (random.nextInt(4) == 0) {
        pieces.clear();
        whole.clear();
      }
    }
  }

  @Test
  void aLargeBufferIsNotCopied() {
    ByteBuffer large = ByteBuffer.allocate(PIECE_MIN);
    Encoder out = Encoder.inPieces(PIECE_MIN);
    out.writeBytes(large.slice(0, PIECE_MIN - 1));
    out.writeBytes(large);
    out.writeByte(1);
    List<ByteBuffer> pieces = out.toPieces();
    assertThat(pieces).hasSize(3);
    assertThat(pieces.get(0).array()).isNotSameAs(large.array());
    assertThat(pieces.get(1).array()).isSameAs(large.array());
    assertThatIllegalStateException().isThrownBy(out::toByteArray);
    assertThatIllegalStateException().isThrownBy(out::toByteBuffer);
  }
}
