package io.uniserve.simulation.disk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** The ways in which a disk's contents change silently. */
public enum Rot {
  /** One bit changes. */
  FLIPPED_BIT,
  /** A sector was never written: it holds zeroes. */
  LOST_WRITE,
  /** A sector was overwritten with data that was meant for another place. */
  MISDIRECTED_WRITE;

  private static final int SECTOR_BYTES = 512;

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
    int at = random.nextInt(bytes.length);
    int sector = at / SECTOR_BYTES * SECTOR_BYTES;
    int length = Math.min(SECTOR_BYTES, bytes.length - sector);
    return switch (this) {
      case FLIPPED_BIT ->
          new Change(at, new byte[] {(byte) (bytes[at] ^ 1 << random.nextInt(Byte.SIZE))});
      case LOST_WRITE -> new Change(sector, new byte[length]);
      case MISDIRECTED_WRITE -> new Change(sector, Arrays.copyOf(contents(other), length));
    };
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
