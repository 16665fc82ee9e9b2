package io.uniserve.runtime.wire.grpc;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The bytes of one message.
 *
 * @param pieces the pieces, in order; never changed
 * @param length the length of all of them
 */
record Bytes(List<ByteBuffer> pieces, long length) {
  Bytes(List<ByteBuffer> pieces) {
    this(pieces, length(pieces));
  }

  private static long length(List<ByteBuffer> pieces) {
    long length = 0;
    for (ByteBuffer piece : pieces) {
      length += piece.remaining();
    }
    return length;
  }

  Bytes(ByteBuffer whole) {
    this(List.of(whole));
  }

  /** Returns all of them in one buffer. Bytes from a network are in one already. */
  ByteBuffer whole() {
    if (pieces.size() == 1) {
      return pieces.getFirst();
    }
    ByteBuffer whole = ByteBuffer.allocate(Math.toIntExact(length));
    pieces.forEach(piece -> whole.put(piece.duplicate()));
    return whole.flip();
  }
}
