package io.uniserve.runtime.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunk;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunks;
import io.uniserve.runtime.wire.entry.Engines;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class WireCodecTest {
  private final WireCodec codec = new WireCodec(new Engines(List.of()));

  @Test
  void largeChunksArePiecesOfTheirOwn() {
    ByteBuffer small = ByteBuffer.wrap(new byte[] {1, 2, 3});
    ByteBuffer large = ByteBuffer.allocate(1 << 20).put(77, (byte) 7);
    FetchedChunks page =
        new FetchedChunks(
            List.of(
                new FetchedChunk(PartitionKey.of(1), large.asReadOnlyBuffer()),
                new FetchedChunk(PartitionKey.of(2), small),
                new FetchedChunk(PartitionKey.of(3), large)),
            3,
            true);
    List<ByteBuffer> pieces = codec.encodeInPieces(page);
    assertThat(pieces).hasSize(5);
    assertThat(pieces.get(3).array()).isSameAs(large.array());

    ByteBuffer whole = ByteBuffer.allocate(3 << 20);
    pieces.forEach(piece -> whole.put(piece.duplicate()));
    assertThat(whole.flip()).isEqualTo(codec.encode(page));
    assertThat(codec.decode(whole)).isEqualTo(page);
  }
}
