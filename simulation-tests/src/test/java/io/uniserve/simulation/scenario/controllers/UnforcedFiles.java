package io.uniserve.simulation.scenario.controllers;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.ForwardingAppendFile;
import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.file.Path;

/** A disk that reports files as forced although they are not. */
record UnforcedFiles(Storage disk) implements ForwardingStorage {
  @Override
  public AppendFile append(Path file) throws IOException {
    return new LyingFile(disk.append(file));
  }

  private record LyingFile(AppendFile file) implements ForwardingAppendFile {
    @Override
    public void force() {
      // Here the disk reports success without forcing.
    }
  }
}
