package io.uniserve.runtime.store;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** What an object shall hold, and the checksum that it must then have. */
public sealed interface Content {

  /** Size in bytes. */
  long sizeBytes();

  /** SHA-256 in hexadecimal. */
  String sha256();

  /** Reads it from the beginning; may be called again, for another attempt. */
  InputStream open() throws IOException;

  /** These bytes, which must not change any more. */
  static Content of(byte[] bytes) {
    return new Bytes(bytes, Sha256.of(bytes));
  }

  /** A file, which is read once to learn its checksum, and must not change any more. */
  static Content of(Path file) throws IOException {
    return new File(file, Files.size(file), Sha256.of(file));
  }

  /**
   * Bytes in memory.
   *
   * @param bytes the content
   * @param sha256 its checksum
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Bytes(byte[] bytes, String sha256) implements Content {
    @Override
    public long sizeBytes() {
      return bytes.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes);
    }
  }

  /**
   * A file whose checksum is known. If it no longer has that checksum when it is stored, storing
   * fails.
   *
   * @param path where it is
   * @param sizeBytes its size
   * @param sha256 its checksum
   */
  record File(Path path, long sizeBytes, String sha256) implements Content {
    @Override
    public InputStream open() throws IOException {
      return Files.newInputStream(path);
    }
  }
}
