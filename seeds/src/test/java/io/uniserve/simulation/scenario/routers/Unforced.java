package io.uniserve.simulation.scenario.routers;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/** A machine whose files say that they are forced, and are not. */
record Unforced(Environment machine) implements Environment {
  @Override
  public Clock clock() {
    return machine.clock();
  }

  @Override
  public Threads threads() {
    return machine.threads();
  }

  @Override
  public Storage storage() {
    return new LyingStorage(machine.storage());
  }

  @Override
  public Transport transport() {
    return machine.transport();
  }

  @Override
  public RandomGenerator random() {
    return machine.random();
  }

  private record LyingStorage(Storage disk) implements Storage {
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
    public void forceNames(Path directory) throws IOException {
      disk.forceNames(directory);
    }

    @Override
    public void deleteTree(Path directory) throws IOException {
      disk.deleteTree(directory);
    }
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
