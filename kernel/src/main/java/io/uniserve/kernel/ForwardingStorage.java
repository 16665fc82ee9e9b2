package io.uniserve.kernel;

import java.io.IOException;
import java.nio.file.Path;

/** A storage that forwards every method to another one unless it is overridden. */
public interface ForwardingStorage extends Storage {
  /** Returns the storage that methods are forwarded to. */
  Storage disk();

  @Override
  default Path root() {
    return disk().root();
  }

  @Override
  default AppendFile append(Path file) throws IOException {
    return disk().append(file);
  }

  @Override
  default void replace(Path file, byte[] contents) throws IOException {
    disk().replace(file, contents);
  }

  @Override
  default void force(Path path) throws IOException {
    disk().force(path);
  }

  @Override
  default Path createDirectories(Path directory) throws IOException {
    return disk().createDirectories(directory);
  }

  @Override
  default void rename(Path from, Path to) throws IOException {
    disk().rename(from, to);
  }

  @Override
  default void delete(Path file) throws IOException {
    disk().delete(file);
  }

  @Override
  default void deleteTree(Path directory) throws IOException {
    disk().deleteTree(directory);
  }
}
