package io.uniserve.node.cluster;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.Storage;
import java.nio.file.Path;

/** The storage of roles that keep no files. */
final class NoStorage implements Storage {
  @Override
  public Path root() {
    throw refused();
  }

  @Override
  public AppendFile append(Path file) {
    throw refused();
  }

  @Override
  public void replace(Path file, byte[] contents) {
    throw refused();
  }

  @Override
  public void force(Path path) {
    throw refused();
  }

  @Override
  public Path createDirectories(Path directory) {
    throw refused();
  }

  @Override
  public void rename(Path from, Path to) {
    throw refused();
  }

  @Override
  public void delete(Path file) {
    throw refused();
  }

  @Override
  public void deleteTree(Path directory) {
    throw refused();
  }

  private static UnsupportedOperationException refused() {
    return new UnsupportedOperationException("this role keeps no files");
  }
}
