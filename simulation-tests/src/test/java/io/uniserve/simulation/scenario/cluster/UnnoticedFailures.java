package io.uniserve.simulation.scenario.cluster;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.ForwardingAppendFile;
import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A disk that reports entries of logs as written although there was an error, or no room. */
record UnnoticedFailures(Storage disk) implements ForwardingStorage {
  @Override
  public AppendFile append(Path file) throws IOException {
    AppendFile opened = disk.append(file);
    return file.toString().endsWith(".log") ? new Lossy(opened) : opened;
  }

  private record Lossy(AppendFile file) implements ForwardingAppendFile {
    @Override
    public void append(ByteBuffer bytes) {
      try {
        file.append(bytes);
      } catch (IOException e) {
        // This disk exists to report writes as done that are not.
        return;
      }
    }

    @Override
    public long roomBytes() {
      return Long.MAX_VALUE;
    }
  }
}
