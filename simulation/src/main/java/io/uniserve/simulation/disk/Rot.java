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
  FLIPPED_BIT_OF_ENTRY;

  private static final int SECTOR_BYTES = 512;
  private static final int HEADER_BYTES = 2 * Integer.BYTES;

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
    int at = random.nextInt(bytes.length);
    int sector = at / SECTOR_BYTES * SECTOR_BYTES;
    int length = Math.min(SECTOR_BYTES, bytes.length - sector);
    return switch (this) {
      case FLIPPED_BIT, FLIPPED_BIT_OF_ENTRY -> flipped(bytes, at, random);
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
    ByteBuffer log = ByteBuffer.wrap(bytes);
    int last = 0;
    while (log.remaining() > HEADER_BYTES) {
      last = log.position();
      int length = log.getInt();
      int checksum = log.getInt();
      if (length <= 0 || length > log.remaining()) {
        return 0;
      }
      CRC32C crc = new CRC32C();
      crc.update(bytes, log.position(), length);
      if ((int) crc.getValue() != checksum) {
        return 0;
      }
      log.position(log.position() + length);
    }
    return log.hasRemaining() ? 0 : last;
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
