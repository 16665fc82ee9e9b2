package io.uniserve.runtime.store;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.Storage;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * A file of frames, each a length, a CRC-32C and bytes, at least one. Opening it reads every frame,
 * and cuts off what a crash left unfinished at the end, be it zeroes.
 *
 * <p>For one writer; {@link #read} may be called from other threads for frames that were appended
 * before.
 */
public final class FramedFile implements Closeable {
  /** The largest frame, in bytes. */
  public static final int FRAME_BYTES_MAX = 256 << 20;

  private static final int HEADER_BYTES = 8;

  private final Path path;
  private final AppendFile file;
  private final FileChannel reader;

  private FramedFile(Path path, AppendFile file, FileChannel reader) {
    this.path = path;
    this.file = file;
    this.reader = reader;
  }

  /** Receives the frames of a file that is opened. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * One frame.
     *
     * @param offset where it begins
     * @param bytes its contents
     */
    void frame(long offset, ByteBuffer bytes) throws IOException;
  }

  /** What damage to expect in a file. */
  public enum Damage {
    /**
     * Frames were forced one by one: only the last can be unfinished; anything else is an error.
     */
    UNFINISHED_LAST,
    /**
     * Frames were not forced: whatever follows the first damaged one was never promised, and is cut
     * off.
     */
    UNFORCED_TAIL
  }

  /**
   * Opens or creates a file.
   *
   * @throws UniserveException with {@link ErrorCode#CORRUPT} for damage of a kind that is not
   *     expected
   */
  public static FramedFile open(Storage storage, Path path, Damage damage, Visitor visitor)
      throws IOException {
    AppendFile file = storage.append(path);
    FileChannel reader = FileChannel.open(path, StandardOpenOption.READ);
    FramedFile framed = new FramedFile(path, file, reader);
    try {
      long end = framed.scan(damage, visitor);
      if (end < file.size()) {
        file.truncate(end);
      }
      return framed;
    } catch (IOException | RuntimeException e) {
      framed.close();
      throw e;
    }
  }

  /** Appends a frame and returns its offset. */
  public long append(ByteBuffer bytes) throws IOException {
    if (bytes.remaining() > FRAME_BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "a log entry of " + bytes.remaining() + " bytes, at most " + FRAME_BYTES_MAX);
    }
    if (!bytes.hasRemaining()) {
      // Eight zeroes, as a crash of the machine may leave them, would be such a frame.
      throw UniserveException.invalid("an empty log entry");
    }
    long offset = file.size();
    ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + bytes.remaining());
    frame.putInt(bytes.remaining()).putInt(checksum(bytes)).put(bytes.duplicate()).flip();
    file.append(frame);
    return offset;
  }

  /** Reads the frame at an offset that {@link #append} or the visitor gave. */
  public ByteBuffer read(long offset) throws IOException {
    ByteBuffer header = readFully(offset, HEADER_BYTES);
    int length = header.getInt();
    int checksum = header.getInt();
    if (length <= 0 || length > FRAME_BYTES_MAX) {
      throw damaged(offset, "a length of " + length);
    }
    ByteBuffer bytes = readFully(offset + HEADER_BYTES, length);
    if (checksum(bytes) != checksum) {
      throw damaged(offset, "its checksum differs");
    }
    return bytes;
  }

  /** Makes everything appended survive a crash of the machine. */
  public void force() throws IOException {
    file.force();
  }

  /** Size in bytes. */
  public long size() {
    return file.size();
  }

  /** Drops the frames from this offset on. */
  public void truncate(long offset) throws IOException {
    file.truncate(offset);
  }

  @Override
  public void close() throws IOException {
    try (reader) {
      file.close();
    }
  }

  private long scan(Damage damage, Visitor visitor) throws IOException {
    long end = Files.size(path);
    long offset = 0;
    while (offset + HEADER_BYTES <= end) {
      ByteBuffer header = readFully(offset, HEADER_BYTES);
      int length = header.getInt();
      int checksum = header.getInt();
      long next = offset + HEADER_BYTES + length;
      if (length <= 0 || length > FRAME_BYTES_MAX || next > end) {
        if (damage == Damage.UNFINISHED_LAST && frameFollows(offset + 1, end)) {
          throw damaged(offset, "a length of " + length + ", and it is not the last");
        }
        return offset;
      }
      ByteBuffer bytes = readFully(offset + HEADER_BYTES, length);
      if (checksum(bytes) != checksum) {
        if (damage == Damage.UNFINISHED_LAST && next < end) {
          throw damaged(offset, "its checksum differs, and it is not the last");
        }
        return offset;
      }
      visitor.frame(offset, bytes);
      offset = next;
    }
    return offset;
  }

  /** Whether there is a frame in what follows, wherever it may begin. */
  private boolean frameFollows(long from, long end) throws IOException {
    long size = Math.min(end - from, FRAME_BYTES_MAX);
    ByteBuffer rest = readFully(from, (int) Math.max(0, size));
    for (int at = 0; at + HEADER_BYTES < rest.limit(); at++) {
      int length = rest.getInt(at);
      boolean fits = length > 0 && length <= rest.limit() - at - HEADER_BYTES;
      if (fits && checksum(rest.slice(at + HEADER_BYTES, length)) == rest.getInt(at + 4)) {
        return true;
      }
    }
    return false;
  }

  private ByteBuffer readFully(long offset, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (reader.read(bytes, offset + bytes.position()) < 0) {
        throw new EOFException(path + " ends at " + (offset + bytes.position()));
      }
    }
    return bytes.flip();
  }

  private UniserveException damaged(long offset, String how) {
    return new UniserveException(
        ErrorCode.CORRUPT, path + ": the frame at " + offset + " is damaged: " + how);
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate());
    return (int) crc.getValue();
  }
}
