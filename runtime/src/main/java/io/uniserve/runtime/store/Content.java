package io.uniserve.runtime.store;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The contents of an object, and the checksum that they must have. */
public sealed interface Content {

  /** Returns the size in bytes. */
  long sizeBytes();

  /** Returns the SHA-256 in hexadecimal. */
  String sha256();

  /** Reads it from the beginning; may be called again, for another attempt. */
  InputStream open() throws IOException;

  /** Returns these bytes as contents; they must not change any more. */
  static Content of(byte[] bytes) {
    return new Bytes(bytes, Sha256.of(bytes));
  }

  /**
   * Returns a file as contents. It is read once to learn its checksum, and must not change any
   * more.
   */
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
   * @param path the path where it is
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
