package io.uniserve.simulation.scenario.controllers;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk that forces the content of files, but not the directories that name new ones. */
record UnforcedNames(Storage disk) implements ForwardingStorage {
  @Override
  public AppendFile append(Path file) throws IOException {
    if (Files.notExists(file)) {
      Files.createFile(file);
    }
    return disk.append(file);
  }

  @Override
  public Path createDirectories(Path directory) throws IOException {
    return Files.createDirectories(directory);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }
}
