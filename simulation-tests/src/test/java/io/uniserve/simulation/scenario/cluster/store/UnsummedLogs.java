package io.uniserve.simulation.scenario.cluster.store;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.ForwardingAppendFile;
import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.zip.CRC32C;

/**
 * A disk on which every entry of a log seems to have the right checksum. Whoever reads the head of
 * an entry gets the checksum of the bytes that follow, whatever they are.
 *
 * @param logs tells which files are logs
 */
public record UnsummedLogs(Storage disk, Predicate<Path> logs) implements ForwardingStorage {
  private static final int HEAD_BYTES = 2 * Integer.BYTES;

  @Override
  public AppendFile append(Path file) throws IOException {
    AppendFile log = disk.append(file);
    return logs.test(file) ? new Unsummed(log) : log;
  }

  private record Unsummed(AppendFile file) implements ForwardingAppendFile {
    @Override
    public int read(ByteBuffer into, long at) throws IOException {
      int begin = into.position();
      int read = file.read(into, at);
      if (read == HEAD_BYTES) {
        int length = into.getInt(begin);
        if (length > 0 && at + HEAD_BYTES + length <= file.size()) {
          into.putInt(begin + Integer.BYTES, checksum(at + HEAD_BYTES, length));
        }
      }
      return read;
    }

    private int checksum(long at, int length) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(length);
      while (bytes.hasRemaining()) {
        file.read(bytes, at + bytes.position());
      }
      CRC32C crc = new CRC32C();
      crc.update(bytes.flip());
      return (int) crc.getValue();
    }
  }
}
