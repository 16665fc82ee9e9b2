package io.uniserve.runtime.wire.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PiecesStreamTest {
  private final ByteArrayOutputStream expected = new ByteArrayOutputStream();

  static IntStream seeds() {
    return IntStream.range(0, 200);
  }

  /** Returns some pieces, of which some are empty, direct, read-only, or begin within an array. */
  private Bytes bytes(Random random) {
    List<ByteBuffer> pieces = new ArrayList<>();
    int count = random.nextInt(5);
    for (int i = 0; i < count; i++) {
      byte[] content = new byte[random.nextBoolean() ? random.nextInt(3) : random.nextInt(50_000)];
      random.nextBytes(content);
      expected.writeBytes(content);
      pieces.add(
          switch (random.nextInt(4)) {
            case 0 -> ByteBuffer.wrap(content);
            case 1 -> ByteBuffer.wrap(content).asReadOnlyBuffer();
            case 2 -> ByteBuffer.allocateDirect(content.length).put(content).flip();
            default -> ByteBuffer.allocate(content.length + 7).put(7, content).position(7).slice();
          });
    }
    return new Bytes(pieces);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void givesAllPiecesInOrderHoweverItIsRead(int seed) throws IOException {
    Random random = new Random(seed);
    Bytes bytes = bytes(random);
    PiecesStream stream = new PiecesStream(bytes);
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    boolean drained = false;
    while (stream.available() > 0 && !drained) {
      assertThat(stream.available()).isEqualTo(expected.size() - read.size());
      switch (random.nextInt(3)) {
        case 0 -> read.write(stream.read());
        case 1 -> {
          byte[] some = new byte[1 + random.nextInt(20_000)];
          int length = stream.read(some, 0, some.length);
          assertThat(length).isPositive();
          read.write(some, 0, length);
        }
        default -> {
          drained = random.nextInt(4) == 0;
          if (drained) {
            int left = stream.available();
            assertThat(stream.drainTo(read)).isEqualTo(left);
          }
        }
      }
    }
    assertThat(read.toByteArray()).isEqualTo(expected.toByteArray());
    assertThat(stream.available()).isZero();
    assertThat(stream.read()).isEqualTo(-1);
    assertThat(stream.read(new byte[1], 0, 1)).isEqualTo(-1);
    assertThat(stream.drainTo(read)).isZero();

    byte[] whole = new byte[expected.size()];
    bytes.whole().duplicate().get(whole);
    assertThat(whole)
        .as("the pieces themselves stay as they were")
        .isEqualTo(expected.toByteArray());
  }
}
