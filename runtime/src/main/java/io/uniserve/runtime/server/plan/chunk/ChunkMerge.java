package io.uniserve.runtime.server.plan.chunk;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunk;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/** The chunks of one part, attribute by attribute, merged from sorted streams. */
public final class ChunkMerge {
  private record Head(FetchedChunk chunk, int stream) {}

  private static final Comparator<Head> ORDER =
      Comparator.comparing((Head head) -> head.chunk().attribute()).thenComparingInt(Head::stream);

  private final List<ChunkStream> streams;
  private final PriorityQueue<Head> heads = new PriorityQueue<>(ORDER);
  private boolean begun;
  private long chunks;
  private long bytes;

  public ChunkMerge(List<ChunkStream> streams) {
    this.streams = streams;
  }

  /** Returns the next attribute that has chunks; null after the last. */
  public PartitionKey nextAttribute() {
    if (!begun) {
      begun = true;
      for (int i = 0; i < streams.size(); i++) {
        push(i);
      }
    }
    return heads.isEmpty() ? null : heads.peek().chunk().attribute();
  }

  /**
   * Returns the chunks of an attribute that {@link #nextAttribute} gave. The caller must take all
   * of them.
   */
  public Iterator<ByteBuffer> chunksOf(PartitionKey attribute) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !heads.isEmpty() && heads.peek().chunk().attribute().equals(attribute);
      }

      @Override
      public ByteBuffer next() {
        if (!hasNext()) {
          throw new NoSuchElementException("attribute " + attribute + " has no more chunks");
        }
        return take();
      }
    };
  }

  private ByteBuffer take() {
    Head head = heads.remove();
    streams.get(head.stream()).advance();
    push(head.stream());
    chunks++;
    bytes += head.chunk().bytes().remaining();
    return head.chunk().bytes();
  }

  private void push(int stream) {
    FetchedChunk chunk = streams.get(stream).peek();
    if (chunk != null) {
      heads.add(new Head(chunk, stream));
    }
  }

  public long chunks() {
    return chunks;
  }

  public long bytes() {
    return bytes;
  }
}
