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
    delay.write();
    return new SimulatedAppendFile(file, durable, delay);
  }

  @Override
  public void replace(Path file, byte[] contents) throws IOException {
    delay.force();
    Path fresh = file.resolveSibling(file.getFileName() + ".replacement");
    try {
      Files.write(fresh, contents);
      Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(fresh);
      throw e;
    }
    durable.force(file);
    durable.forceNames(file.getParent());
  }

  @Override
  public void force(Path path) throws IOException {
    delay.force();
    durable.force(path);
    durable.forceNames(path.getParent());
  }

  @Override
  public Path createDirectories(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      createDirectories(directory.getParent());
      Files.createDirectories(directory); // somebody else may create it, too
      delay.force();
      durable.forceNames(directory.getParent());
    }
    return directory;
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    delay.force();
    durable.forceNames(to.getParent());
  }

  @Override
  public void delete(Path file) throws IOException {
    if (Files.deleteIfExists(file)) {
      delay.force();
      durable.forceNames(file.getParent());
    }
  }

  @Override
  public void deleteTree(Path directory) throws IOException {
    delay.write();
    if (Files.exists(directory)) {
      for (Path path : below(directory).sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
      delay.force();
      durable.forceNames(directory.getParent());
    }
  }

  private static Stream<Path> below(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return List.copyOf(paths.toList()).stream();
    }
  }
}
