package io.uniserve.simulation.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A journal on disk: each operation's key and number. It has no checksum, since an engine need not
 * notice that its files are damaged.
 */
final class JournalFile {
  private static final int OPERATION_BYTES = 2 * Long.BYTES;

  private JournalFile() {}

  static byte[] bytes(List<Operation> journal) {
    ByteBuffer bytes = ByteBuffer.allocate(journal.size() * OPERATION_BYTES);
    for (Operation operation : journal) {
      bytes.putLong(operation.key()).putLong(operation.number());
    }
    return bytes.array();
  }

  static List<Operation> read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    if (bytes.remaining() % OPERATION_BYTES != 0) {
      throw new IOException(file + " ends in the middle of an operation");
    }
    int operations = bytes.remaining() / OPERATION_BYTES;
    List<Operation> journal = new ArrayList<>();
    for (int i = 0; i < operations; i++) {
      journal.add(new Operation(bytes.getLong(), bytes.getLong()));
    }
    return journal;
  }
}
