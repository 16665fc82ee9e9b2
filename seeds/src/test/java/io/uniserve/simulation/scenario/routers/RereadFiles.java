package io.uniserve.simulation.scenario.routers;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A disk that takes what can be read of a file for what it has of it, and writes nothing anew. */
record RereadFiles(Storage disk) implements Storage {
  @Override
  public Path root() {
    return disk.root();
  }

  @Override
  public AppendFile append(Path file) throws IOException {
    return disk.append(file);
  }

  @Override
  public void replace(Path file, byte[] contents) throws IOException {
    if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), contents)) {
      disk.replace(file, contents);
    }
  }

  @Override
  public void force(Path path) throws IOException {
    disk.force(path);
  }

  @Override
  public Path createDirectories(Path directory) throws IOException {
    return disk.createDirectories(directory);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    disk.rename(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    disk.delete(file);
  }

  @Override
  public void deleteTree(Path directory) throws IOException {
    disk.deleteTree(directory);
  }
}
