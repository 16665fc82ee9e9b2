package io.uniserve.simulation.scenario.routers;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A disk whose files say that they are forced, and are not. */
record UnforcedFiles(Storage disk) implements Storage {
  @Override
  public Path root() {
    return disk.root();
  }

  @Override
  public AppendFile append(Path file) throws IOException {
    return new LyingFile(disk.append(file));
  }

  @Override
  public void replace(Path file, byte[] contents) throws IOException {
    disk.replace(file, contents);
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

  private record LyingFile(AppendFile file) implements AppendFile {
    @Override
    public void append(ByteBuffer bytes) throws IOException {
      file.append(bytes);
    }

    @Override
    public void force() {
      // The lie.
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
