package io.uniserve.testkit.local;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The chunks of one attribute in the worst permitted way for a gather: in another order than they
 * were put, read-only, and with each buffer overwritten once the next is read.
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

  /** Overwrites the last buffer, because the gather has ended or reads on. */
  void spoil() {
    if (lent != null) {
      for (int i = 0; i < lent.capacity(); i++) {
        lent.put(i, RUBBISH);
      }
    }
  }
}
