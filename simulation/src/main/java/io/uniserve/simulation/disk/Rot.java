package io.uniserve.simulation.disk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;

/** The ways in which a disk's contents change silently. */
public enum Rot {
  /** One bit changes. */
  FLIPPED_BIT,
  /** A sector was never written: it holds zeroes. */
  LOST_WRITE,
  /** A sector was overwritten with data that was meant for another place. */
  MISDIRECTED_WRITE,
  /** One bit of an entry of a log changes, with a sound entry after it. */
  FLIPPED_BIT_OF_ENTRY,
  /**
   * One bit changes of a sound file, where no crash explains it: before the last frame or mark of a
   * file of frames, and anywhere in a file that begins with the CRC-32C of the rest.
   */
  FLIPPED_BIT_AT_REST;

  private static final int SECTOR_BYTES = 512;
  private static final int HEADER_BYTES = 2 * Integer.BYTES;

  /** The value in the place of a length that makes a mark. */
  private static final int MARK = -1;

  /**
   * Bytes that replace others.
   *
   * @param at their offset
   */
  record Change(int at, byte[] bytes) {}

  /** Returns the change of a file; none of an empty one. */
  Change changes(Path file, Path other, RandomGenerator random) throws IOException {
    byte[] bytes = contents(file);
    if (bytes.length == 0) {
      return new Change(0, bytes);
    }
    if (this == FLIPPED_BIT_OF_ENTRY) {
      int entries = bytesBeforeLastEntry(bytes);
      return entries == 0
          ? new Change(0, new byte[0])
          : flipped(bytes, random.nextInt(entries), random);
    }
    if (this == FLIPPED_BIT_AT_REST) {
      int unexplained = isSummed(bytes) ? bytes.length : bytesBeforeLastFrame(bytes);
      return unexplained == 0
          ? new Change(0, new byte[0])
          : flipped(bytes, random.nextInt(unexplained), random);
    }
    int at = random.nextInt(bytes.length);
    int sector = at / SECTOR_BYTES * SECTOR_BYTES;
    int length = Math.min(SECTOR_BYTES, bytes.length - sector);
    return switch (this) {
      case FLIPPED_BIT, FLIPPED_BIT_OF_ENTRY, FLIPPED_BIT_AT_REST -> flipped(bytes, at, random);
      case LOST_WRITE -> new Change(sector, new byte[length]);
      case MISDIRECTED_WRITE -> new Change(sector, Arrays.copyOf(contents(other), length));
    };
  }

  private static Change flipped(byte[] bytes, int at, RandomGenerator random) {
    return new Change(at, new byte[] {(byte) (bytes[at] ^ 1 << random.nextInt(Byte.SIZE))});
  }

  /**
   * Returns the number of bytes before the last entry of a log whose entries are all sound, each a
   * length, a CRC-32C and its contents; 0 of any other file.
   */
  private static int bytesBeforeLastEntry(byte[] bytes) {
    return bytesBeforeLast(bytes, false);
  }

  /** Returns the same of a file that may have marks, of which the last may be one. */
  private static int bytesBeforeLastFrame(byte[] bytes) {
    return bytesBeforeLast(bytes, true);
  }

  private static int bytesBeforeLast(byte[] bytes, boolean marks) {
    ByteBuffer log = ByteBuffer.wrap(bytes);
    int last = 0;
    while (log.remaining() >= HEADER_BYTES) {
      last = log.position();
      int length = log.getInt();
      int checksum = log.getInt();
      boolean mark = marks && length == MARK && checksum == markAt(last);
      if (!mark) {
        if (length <= 0 || length > log.remaining()) {
          return 0;
        }
        if (checksum(bytes, log.position(), length) != checksum) {
          return 0;
        }
        log.position(log.position() + length);
      }
    }
    return log.hasRemaining() ? 0 : last;
  }

  /** Returns whether a file begins with the checksum of the rest. */
  private static boolean isSummed(byte[] bytes) {
    return bytes.length > Integer.BYTES
        && ByteBuffer.wrap(bytes).getInt()
            == checksum(bytes, Integer.BYTES, bytes.length - Integer.BYTES);
  }

  private static int markAt(int offset) {
    return checksum(ByteBuffer.allocate(Long.BYTES).putLong(0, offset).array(), 0, Long.BYTES);
  }

  private static int checksum(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  /**
   * Returns a file's contents, read by a stream, since an interrupt of the calling thread would
   * close a channel.
   */
  private static byte[] contents(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readAllBytes();
    }
  }
}
