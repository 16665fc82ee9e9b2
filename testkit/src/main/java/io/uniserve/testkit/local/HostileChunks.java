package io.uniserve.testkit.local;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The chunks of one attribute as badly as a gather may get them: in another order than they were
 * put in, read-only, and with each buffer overwritten once the next is read.
 */
final class HostileChunks implements Iterator<ByteBuffer> {
  private static final byte RUBBISH = (byte) 0xA5;

  private final Iterator<ByteBuffer> chunks;
  private ByteBuffer lent;

  HostileChunks(List<ByteBuffer> chunks) {
    this.chunks = new ArrayList<>(chunks).reversed().iterator();
  }

  @Override
  public boolean hasNext() {
    return chunks.hasNext();
  }

  @Override
  public ByteBuffer next() {
    spoil();
    ByteBuffer chunk = chunks.next();
    lent = ByteBuffer.allocate(chunk.remaining()).put(chunk.duplicate()).flip();
    return lent.asReadOnlyBuffer();
  }

  /** The gather has ended, or reads on: the last buffer is not its any more. */
  void spoil() {
    if (lent != null) {
      for (int i = 0; i < lent.capacity(); i++) {
        lent.put(i, RUBBISH);
      }
    }
  }
}
