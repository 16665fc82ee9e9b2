package io.uniserve.simulation.scenario.controllers;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A disk that reports files as forced although they are not. */
record UnforcedFiles(Storage disk) implements ForwardingStorage {
  @Override
  public AppendFile append(Path file) throws IOException {
    return new LyingFile(disk.append(file));
  }

  private record LyingFile(AppendFile file) implements AppendFile {
    @Override
    public void append(ByteBuffer bytes) throws IOException {
      file.append(bytes);
    }

    @Override
    public void force() {
      // Here the disk reports success without forcing.
    }

    @Override
    public int read(ByteBuffer into, long at) throws IOException {
      return file.read(into, at);
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      file.truncate(size);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
