package io.uniserve.simulation.disk;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A disk as one life of a process sees it. */
final class SimulatedStorage implements Storage {
  private final Path root;
  private final Forcing durable;
  private final DiskDelay delay;

  SimulatedStorage(Path root, Forcing durable, DiskDelay delay) {
    this.root = root;
    this.durable = durable;
    this.delay = delay;
  }

  @Override
  public Path root() {
    return root;
  }

  @Override
  public AppendFile append(Path file) throws IOException {
    delay.write(file);
    return new SimulatedAppendFile(file, durable, delay);
  }

  @Override
  public void replace(Path file, byte[] contents) throws IOException {
    delay.force();
    Path fresh = file.resolveSibling(file.getFileName() + ".replacement");
    try {
      delay.write(fresh);
      Files.write(fresh, contents);
      if (delay.forceFails()) {
        throw DiskFaults.failure(fresh);
      }
      Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(fresh);
      throw e;
    }
    durable.force(file);
    forceNames(file.getParent());
  }

  @Override
  public void force(Path path) throws IOException {
    delay.force();
    if (delay.forceFails()) {
      durable.drop(path, delay.random());
      throw DiskFaults.failure(path);
    }
    durable.force(path);
    forceNames(path.getParent());
  }

  @Override
  public Path createDirectories(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      createDirectories(directory.getParent());
      Files.createDirectories(directory); // another thread may create it, too
      delay.force();
      forceNames(directory.getParent());
    }
    return directory;
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    delay.force();
    forceNames(to.getParent());
  }

  @Override
  public void delete(Path file) throws IOException {
    if (Files.deleteIfExists(file)) {
      delay.force();
      forceNames(file.getParent());
    }
  }

  @Override
  public void deleteTree(Path directory) throws IOException {
    delay.write(directory);
    if (Files.exists(directory)) {
      for (Path path : below(directory).sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
      delay.force();
      forceNames(directory.getParent());
    }
  }

  private void forceNames(Path directory) throws IOException {
    if (delay.forceFails()) {
      throw DiskFaults.failure(directory);
    }
    durable.forceNames(directory);
  }

  private static Stream<Path> below(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return List.copyOf(paths.toList()).stream();
    }
  }
}
