package io.uniserve.simulation.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** A journal on disk: each operation's key and number, then a checksum of all. */
final class JournalFile {
  private static final int OPERATION_BYTES = 2 * Long.BYTES;

  private JournalFile() {}

  static byte[] bytes(List<Operation> journal) {
    ByteBuffer bytes = ByteBuffer.allocate(journal.size() * OPERATION_BYTES + Long.BYTES);
    for (Operation operation : journal) {
      bytes.putLong(operation.key()).putLong(operation.number());
    }
    bytes.putLong(checksum(bytes.duplicate().flip()));
    return bytes.array();
  }

  static List<Operation> read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    int operations = (bytes.remaining() - Long.BYTES) / OPERATION_BYTES;
    boolean whole = bytes.remaining() == operations * OPERATION_BYTES + Long.BYTES;
    if (!whole
        || bytes.getLong(bytes.limit() - Long.BYTES)
            != checksum(bytes.duplicate().limit(bytes.limit() - Long.BYTES))) {
      throw new IOException(file + " is damaged");
    }
    List<Operation> journal = new ArrayList<>();
    for (int i = 0; i < operations; i++) {
      journal.add(new Operation(bytes.getLong(), bytes.getLong()));
    }
    return journal;
  }

  private static long checksum(ByteBuffer bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return ~crc.getValue();
  }
}
