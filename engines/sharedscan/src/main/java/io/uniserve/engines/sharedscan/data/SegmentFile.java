package io.uniserve.engines.sharedscan.data;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The file of a segment: a head, and blocks of records in {@linkplain Cells compact form}, each
 * with its size, the number of its records, and a checksum.
 */
public final class SegmentFile {
  private static final String NAME = "records";
  private static final int MAGIC = 0x53_48_53_43;
  private static final int VERSION = 1;
  private static final int HEAD_BYTES = 16;

  private SegmentFile() {}

  /**
   * Writes a segment into an empty directory.
   *
   * @throws IOException if the file cannot be written
   */
  public static void write(Segment segment, Path directory) throws IOException {
    ChunkCells cells = new ChunkCells(segment.schema());
    try (FileChannel file =
        FileChannel.open(
            directory.resolve(NAME), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer head = buffer(HEAD_BYTES);
      head.putInt(MAGIC).putInt(VERSION).putLong(segment.records());
      put(file, head.flip());
      for (int i = 0; i < segment.size(); i++) {
        ByteBuffer block = cells.of(segment.chunk(i));
        ByteBuffer size = buffer(HEAD_BYTES);
        size.putInt(block.limit()).putInt(segment.chunk(i).live()).putLong(checksum(block));
        put(file, size.flip());
        put(file, block);
      }
    }
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void put(FileChannel file, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }

  private static long checksum(ByteBuffer block) {
    CRC32C checksum = new CRC32C();
    checksum.update(block.duplicate());
    return checksum.getValue();
  }

  /**
   * Reads the segment of a directory.
   *
   * @throws IOException if the file is missing or damaged
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if it is of an unknown version
   */
  public static Segment read(TableSchema schema, Path directory) throws IOException {
    Path path = directory.resolve(NAME);
    Segment segment = new Segment(schema);
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      read(segment, file, path);
      return segment;
    } catch (IOException | RuntimeException e) {
      segment.close();
      throw e;
    }
  }

  private static void read(Segment segment, FileChannel file, Path path) throws IOException {
    ChunkCells cells = new ChunkCells(segment.schema());
    ByteBuffer head = take(file, HEAD_BYTES, path);
    if (head.getInt() != MAGIC) {
      throw new IOException(path + " is damaged: it does not begin as a file of records");
    }
    int version = head.getInt();
    if (version != VERSION) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "the form of shared scans' records has version %s; this program knows version %d"
              .formatted(Integer.toUnsignedString(version), VERSION));
    }
    long records = head.getLong();
    while (segment.records() < records) {
      ByteBuffer size = take(file, HEAD_BYTES, path);
      ByteBuffer block = take(file, size.getInt(), path);
      int count = size.getInt();
      if (size.getLong() != checksum(block)) {
        throw new IOException(path + " is damaged: a checksum is wrong");
      }
      segment.addAll(cells, block, count);
    }
    segment.measure();
  }

  private static ByteBuffer take(FileChannel file, int bytes, Path path) throws IOException {
    if (bytes < 0 || bytes > file.size()) {
      throw new IOException(path + " is damaged: a block has " + bytes + " bytes");
    }
    ByteBuffer taken = buffer(bytes);
    while (taken.hasRemaining()) {
      if (file.read(taken) < 0) {
        throw new IOException(path + " ends too early");
      }
    }
    return taken.flip();
  }
}
