package io.uniserve.simulation.scenario.cluster.store;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.ForwardingAppendFile;
import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** A disk whose frames always have the right checksum, as if nobody compared it. */
record UncheckedLogs(Storage disk) implements ForwardingStorage {
  private static final int HEADER_BYTES = 2 * Integer.BYTES;

  @Override
  public AppendFile append(Path file) throws IOException {
    return new Unchecked(disk.append(file));
  }

  private record Unchecked(AppendFile file) implements ForwardingAppendFile {
    @Override
    public int read(ByteBuffer into, long at) throws IOException {
      boolean header = into.position() == 0 && into.remaining() == HEADER_BYTES;
      int read = file.read(into, at);
      if (header && read == HEADER_BYTES) {
        int length = into.getInt(0);
        if (length > 0 && length <= file.size() - at - HEADER_BYTES) {
          into.putInt(Integer.BYTES, checksum(at + HEADER_BYTES, length));
        }
      }
      return read;
    }

    private int checksum(long at, int length) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(length);
      int read = 0;
      while (bytes.hasRemaining() && read >= 0) {
        read = file.read(bytes, at + bytes.position());
      }
      CRC32C crc = new CRC32C();
      crc.update(bytes.flip());
      return (int) crc.getValue();
    }
  }
}
