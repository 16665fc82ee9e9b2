package io.uniserve.simulation.scenario.ledger;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** A file of numbers, each with a checksum, so that a torn end is recognised and cut off. */
final class LedgerFile {
  private static final int ENTRY_BYTES = 2 * Long.BYTES;

  private final AppendFile file;
  private final List<Long> numbers = new ArrayList<>();

  LedgerFile(Storage storage) throws IOException {
    Path path = storage.root().resolve("ledger");
    file = storage.append(path);
    ByteBuffer written = ByteBuffer.wrap(Files.readAllBytes(path));
    while (written.remaining() >= ENTRY_BYTES) {
      long number = written.getLong();
      if (written.getLong() != checksum(number)) {
        break;
      }
      numbers.add(number);
    }
    file.truncate((long) numbers.size() * ENTRY_BYTES);
    file.force();
  }

  void append(long number) throws IOException {
    file.append(ByteBuffer.allocate(ENTRY_BYTES).putLong(number).putLong(checksum(number)).flip());
    numbers.add(number);
  }

  void force() throws IOException {
    file.force();
  }

  List<Long> numbers() {
    return numbers;
  }

  private static long checksum(long number) {
    CRC32 crc = new CRC32();
    crc.update(ByteBuffer.allocate(Long.BYTES).putLong(number).flip());
    return ~crc.getValue();
  }
}
