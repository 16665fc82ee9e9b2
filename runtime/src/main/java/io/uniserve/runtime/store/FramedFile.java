package io.uniserve.runtime.store;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.UnusableFileException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of frames, each a length, a CRC-32C and at least one byte. Opening it reads every frame.
 * It distinguishes an end that a crash left unfinished, zeroes included, from later damage.
 *
 * <p>Forced frames can be marked as such in the file itself: no crash has left a frame before a
 * mark unfinished. The mark itself need not be forced: it is forced with what follows it, and if
 * nothing follows, it survives a crash of the process.
 *
 * <p>For one writer; {@link #read} may be called from other threads for frames that were appended
 * before.
 */
public final class FramedFile implements Closeable {
  /** The largest frame, in bytes. */
  public static final int FRAME_BYTES_MAX = 256 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(FramedFile.class);
  private static final int HEADER_BYTES = 8;

  /** The value in the place of a length; its checksum is that of the mark's offset. */
  private static final int MARK = -1;

  private final Path path;
  private final AppendFile file;
  private Optional<Tail> tail = Optional.empty();
  private volatile boolean unusable;

  private FramedFile(Path path, AppendFile file) {
    this.path = path;
    this.file = file;
  }

  /**
   * The end of a file without sound frames.
   *
   * @param offset the offset where it begins
   * @param sizeBytes the bytes until the end of the file
   * @param how the fault of the first frame
   * @param followed true if a sound frame or a mark comes later, which no unfinished append
   *     explains
   */
  public record Tail(long offset, long sizeBytes, String how, boolean followed) {}

  /** A receiver of the frames of a file that is opened. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Takes one frame.
     *
     * @param offset the offset where it begins
     * @param bytes its contents
     */
    void frame(long offset, ByteBuffer bytes) throws IOException;
  }

  /** The damage to expect in a file. */
  public enum Damage {
    /**
     * Frames were forced one by one: only the last can be unfinished, and is cut off. Any other
     * damage is an error.
     */
    UNFINISHED_LAST,
    /**
     * Frames were not forced: everything from the first damaged one on was never promised, and is
     * cut off. Damage before a {@link #mark} is an error.
     */
    UNFORCED_TAIL,
    /** The opener looks at the {@link #tail}; nothing is cut off. */
    TOLD
  }

  /**
   * Opens or creates a file.
   *
   * @throws UniserveException with {@link ErrorCode#CORRUPT} for damage of another kind than
   *     expected; the file stays as it was
   */
  public static FramedFile open(Storage storage, Path path, Damage damage, Visitor visitor)
      throws IOException {
    FramedFile framed = new FramedFile(path, storage.append(path));
    try {
      framed.tail = framed.scan(visitor);
      if (framed.tail.isPresent() && damage != Damage.TOLD) {
        framed.cut(framed.tail.get(), damage);
      }
      return framed;
    } catch (IOException | RuntimeException e) {
      framed.close();
      throw e;
    }
  }

  private void cut(Tail damaged, Damage damage) throws IOException {
    if (damage == Damage.UNFINISHED_LAST && damaged.followed()) {
      throw damaged(damaged.offset(), damaged.how() + ", and it is not the last");
    }
    if (damage == Damage.UNFORCED_TAIL && follows(damaged.offset() + 1, file.size(), true)) {
      throw damaged(damaged.offset(), damaged.how() + ", and it was forced");
    }
    LOG.warn(
        "{}: the last {} bytes, which a crash left unfinished, are cut off at {}: {}",
        path,
        damaged.sizeBytes(),
        damaged.offset(),
        damaged.how());
    file.truncate(damaged.offset());
  }

  /** Returns the end of the file as it was opened, if that had no sound frames. */
  public Optional<Tail> tail() {
    return tail;
  }

  /** Appends a frame and returns its offset. */
  public long append(ByteBuffer bytes) throws IOException {
    return append(List.of(bytes))[0];
  }

  /**
   * Appends frames in one write and returns their offsets. Either all are appended or none.
   *
   * @param all the contents of each frame
   */
  public long[] append(List<ByteBuffer> all) throws IOException {
    long begin = file.size();
    long[] offsets = new long[all.size()];
    int sizeBytes = 0;
    for (int i = 0; i < offsets.length; i++) {
      requireSize(all.get(i));
      offsets[i] = begin + sizeBytes;
      sizeBytes = Math.addExact(sizeBytes, HEADER_BYTES + all.get(i).remaining());
    }
    ByteBuffer frames = ByteBuffer.allocate(sizeBytes);
    for (ByteBuffer bytes : all) {
      frames.putInt(bytes.remaining()).putInt(checksum(bytes)).put(bytes.duplicate());
    }
    guard(() -> file.append(frames.flip()));
    return offsets;
  }

  private static void requireSize(ByteBuffer bytes) {
    if (bytes.remaining() > FRAME_BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "a log entry of " + bytes.remaining() + " bytes, at most " + FRAME_BYTES_MAX);
    }
    if (!bytes.hasRemaining()) {
      // Eight zeroes, as a crash of the machine may leave them, would look like such a frame.
      throw UniserveException.invalid("an empty log entry");
    }
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
    guard(file::force);
  }

  private interface Writing {
    void run() throws IOException;
  }

  private void guard(Writing writing) throws IOException {
    try {
      writing.run();
    } catch (UnusableFileException e) {
      unusable = true;
      throw e;
    }
  }

  /** Returns whether the disk has failed so that it is unknown what it has of the file. */
  public boolean unusable() {
    return unusable;
  }

  /** Marks, after {@link #force}, that everything so far is finished. */
  public void mark() throws IOException {
    ByteBuffer mark = ByteBuffer.allocate(HEADER_BYTES);
    file.append(mark.putInt(MARK).putInt(markAt(file.size())).flip());
  }

  /**
   * Returns the contents of a file without damage, with a mark at the end: for whoever writes it
   * anew, and forces that.
   */
  public static byte[] marked(byte[] contents) {
    int last = contents.length - HEADER_BYTES;
    ByteBuffer known = ByteBuffer.wrap(contents);
    boolean done =
        contents.length == 0
            || last >= 0
                && known.getInt(last) == MARK
                && known.getInt(last + Integer.BYTES) == markAt(last);
    return done
        ? contents
        : ByteBuffer.allocate(contents.length + HEADER_BYTES)
            .put(contents)
            .putInt(MARK)
            .putInt(markAt(contents.length))
            .array();
  }

  private static int markAt(long offset) {
    return checksum(ByteBuffer.allocate(Long.BYTES).putLong(0, offset));
  }

  /** Returns the size in bytes. */
  public long size() {
    return file.size();
  }

  /** Returns how many bytes the disk has room for now. */
  public long roomBytes() throws IOException {
    return file.roomBytes();
  }

  /** Deletes the frames from this offset on. */
  public void truncate(long offset) throws IOException {
    file.truncate(offset);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private Optional<Tail> scan(Visitor visitor) throws IOException {
    long end = file.size();
    long offset = 0;
    while (offset + HEADER_BYTES <= end) {
      ByteBuffer header = readFully(offset, HEADER_BYTES);
      int length = header.getInt();
      int checksum = header.getInt();
      long next = offset + HEADER_BYTES + length;
      if (length == MARK && checksum == markAt(offset)) {
        offset += HEADER_BYTES;
      } else if (length <= 0 || length > FRAME_BYTES_MAX || next > end) {
        return Optional.of(tail(offset, end, "a length of " + length));
      } else {
        ByteBuffer bytes = readFully(offset + HEADER_BYTES, length);
        if (checksum(bytes) != checksum) {
          return Optional.of(tail(offset, end, "its checksum differs"));
        }
        visitor.frame(offset, bytes);
        offset = next;
      }
    }
    return offset == end ? Optional.empty() : Optional.of(tail(offset, end, "half a header"));
  }

  private Tail tail(long offset, long end, String how) throws IOException {
    return new Tail(offset, end - offset, how, follows(offset + 1, end, false));
  }

  /**
   * Returns whether there is a frame or a mark in the rest of the file, wherever it may begin.
   *
   * @param marks true if frames do not count
   */
  private boolean follows(long from, long end, boolean marks) throws IOException {
    long size = Math.min(end - from, FRAME_BYTES_MAX);
    ByteBuffer rest = readFully(from, (int) Math.max(0, size));
    for (int at = 0; at + HEADER_BYTES <= rest.limit(); at++) {
      int length = rest.getInt(at);
      int checksum = rest.getInt(at + Integer.BYTES);
      boolean fits = !marks && length > 0 && length <= rest.limit() - at - HEADER_BYTES;
      if (fits && checksum(rest.slice(at + HEADER_BYTES, length)) == checksum
          || length == MARK && checksum == markAt(from + at)) {
        return true;
      }
    }
    return false;
  }

  private ByteBuffer readFully(long offset, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (file.read(bytes, offset + bytes.position()) < 0) {
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
