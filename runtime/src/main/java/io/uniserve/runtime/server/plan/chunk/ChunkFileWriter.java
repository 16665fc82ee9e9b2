package io.uniserve.runtime.server.plan.chunk;

import io.uniserve.kernel.AppendFile;
import io.uniserve.runtime.wire.PlanMessage.PartSize;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The writer of sorted chunks into a file. A chunk is the lengths of its attribute and contents,
 * the checksum of all four, then both. The beginnings of the parts are kept in memory.
 */
final class ChunkFileWriter {
  static final int HEADER_BYTES = 3 * Integer.BYTES;
  private static final int BUFFER_BYTES_MIN = 1 << 10;
  private static final int BUFFER_BYTES_MAX = 64 << 10;

  private final ChunkFiles files;
  private final Path file;
  private final SortedMap<Integer, Long> begins = new TreeMap<>();
  private final List<PartSize> parts = new ArrayList<>();
  private ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES_MIN);
  private AppendFile out;
  private int part = -1;
  private long ofPart;
  private long written;
  private long chunks;
  private long bytes;

  private ChunkFileWriter(ChunkFiles files) {
    this.files = files;
    this.file = files.name();
  }

  /**
   * Writes chunks to a new file.
   *
   * @param sorted the chunks, sorted by {@link KeptChunk#ORDER}
   */
  static ChunksInFile write(ChunkFiles files, Iterator<KeptChunk> sorted) {
    return new ChunkFileWriter(files).write(sorted);
  }

  private ChunksInFile write(Iterator<KeptChunk> sorted) {
    try (AppendFile opened = files.open(file)) {
      out = opened;
      while (sorted.hasNext()) {
        put(sorted.next());
      }
      flush();
      endPart();
    } catch (IOException e) {
      files.delete(file);
      throw ChunkFiles.unwritten(e);
    } catch (RuntimeException e) {
      files.delete(file);
      throw e;
    }
    return new ChunksInFile(files, file, begins, parts, written, chunks, bytes);
  }

  private void put(KeptChunk chunk) throws IOException {
    if (chunk.part() != part) {
      endPart();
      part = chunk.part();
      begins.put(part, written);
    }
    byte[] attribute = chunk.attribute().bytes();
    int length = HEADER_BYTES + attribute.length + chunk.bytes().remaining();
    if (buffer.remaining() < length) {
      makeRoom(length);
    }
    buffer.putInt(attribute.length).putInt(chunk.bytes().remaining());
    buffer.putInt(sum(ByteBuffer.wrap(attribute), chunk.bytes()));
    buffer.put(attribute).put(chunk.bytes().duplicate());
    written += length;
    ofPart += chunk.footprint();
    bytes += chunk.bytes().remaining();
    chunks++;
  }

  /** Returns the checksum of a chunk, which is that of its lengths, its attribute and contents. */
  static int sum(ByteBuffer attribute, ByteBuffer contents) {
    CRC32C sum = new CRC32C();
    sum.update(
        ByteBuffer.allocate(2 * Integer.BYTES)
            .putInt(attribute.remaining())
            .putInt(contents.remaining())
            .flip());
    sum.update(attribute.duplicate());
    sum.update(contents.duplicate());
    return (int) sum.getValue();
  }

  /** Grows the buffer up to a useful size, since most files are small. */
  private void makeRoom(int length) throws IOException {
    int wanted = Math.max(2 * buffer.capacity(), buffer.position() + length);
    if (wanted <= BUFFER_BYTES_MAX) {
      buffer = ByteBuffer.allocate(wanted).put(buffer.flip());
    } else {
      flush();
      buffer = buffer.capacity() < length ? ByteBuffer.allocate(length) : buffer;
    }
  }

  private void flush() throws IOException {
    out.append(buffer.flip());
    buffer.clear();
  }

  private void endPart() {
    if (part >= 0) {
      parts.add(new PartSize(part, ofPart));
      ofPart = 0;
    }
  }
}
