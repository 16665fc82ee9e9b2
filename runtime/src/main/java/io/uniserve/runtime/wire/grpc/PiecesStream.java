package io.uniserve.runtime.wire.grpc;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Iterator;

/**
 * A stream of bytes to be sent. It tells their length, and copies them to the network's buffer in
 * one go.
 */
final class PiecesStream extends InputStream implements KnownLength, Drainable {
  /**
   * The size of a step in copying, which stays in the processor's cache; for pieces that are not
   * plain arrays.
   */
  private static final int STEP_BYTES = 16 << 10;

  private final Iterator<ByteBuffer> next;
  private ByteBuffer piece = ByteBuffer.allocate(0);
  private int left;
  private byte[] step;

  /**
   * @param bytes fewer than 2 GiB
   */
  PiecesStream(Bytes bytes) {
    next = bytes.pieces().iterator();
    left = Math.toIntExact(bytes.length());
  }

  /** Returns the current piece. Only called while anything is left. */
  private ByteBuffer piece() {
    while (!piece.hasRemaining()) {
      piece = next.next().duplicate();
    }
    return piece;
  }

  @Override
  public int available() {
    return left;
  }

  @Override
  public int read() {
    if (left == 0) {
      return -1;
    }
    left--;
    return piece().get() & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (left == 0) {
      return length == 0 ? 0 : -1;
    }
    int taken = Math.min(length, piece().remaining());
    piece.get(target, offset, taken);
    left -= taken;
    return taken;
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    int drained = left;
    while (left > 0) {
      left -= piece().hasArray() ? drainArray(target) : drainStep(target);
    }
    return drained;
  }

  private int drainArray(OutputStream target) throws IOException {
    int length = piece.remaining();
    target.write(piece.array(), piece.arrayOffset() + piece.position(), length);
    piece.position(piece.limit());
    return length;
  }

  private int drainStep(OutputStream target) throws IOException {
    step = step == null ? new byte[STEP_BYTES] : step;
    int length = Math.min(step.length, piece.remaining());
    piece.get(step, 0, length);
    target.write(step, 0, length);
    return length;
  }
}
