package io.uniserve.kernel.production;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.Storage;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;

/** A storage on the machine's own file system, which must honour fsync and atomic renames. */
public final class FileStorage implements Storage {
  /**
   * The beginning of the names of files that {@link #replace} had not finished when the process
   * ended.
   */
  private static final String UNFINISHED = ".replacing-";

  private final Path root;
  private final AtomicLong replacements = new AtomicLong();

  /**
   * Opens the storage.
   *
   * @param root the process's directory, created if absent
   */
  public FileStorage(Path root) throws IOException {
    createMissing(root.toAbsolutePath());
    this.root = root.toRealPath();
  }

  @Override
  public Path root() {
    return root;
  }

  @Override
  public AppendFile append(Path file) throws IOException {
    AppendFile opened = new ForcedFile(file);
    try {
      forceNames(file.toAbsolutePath().getParent());
    } catch (IOException e) {
      opened.close();
      throw e;
    }
    return opened;
  }

  /**
   * Forces the names on the way to a directory: a former process may have ended between creating
   * one and forcing it. For names that are on the disk already, this costs next to nothing.
   */
  private void forceNames(Path directory) throws IOException {
    forceDirectory(directory);
    if (!directory.equals(root) && directory.startsWith(root)) {
      forceNames(directory.getParent());
    }
  }

  @Override
  public void replace(Path file, byte[] contents) throws IOException {
    Path temporary =
        file.resolveSibling(file.getFileName() + UNFINISHED + replacements.incrementAndGet());
    try {
      writeAndForce(temporary, contents);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
    forceDirectory(file.toAbsolutePath().getParent());
  }

  @Override
  public void force(Path path) throws IOException {
    Files.walkFileTree(path, new Forcing());
    forceDirectory(path.toAbsolutePath().getParent());
  }

  @Override
  public Path createDirectories(Path directory) throws IOException {
    createMissing(directory.toAbsolutePath());
    return directory;
  }

  /** Creates the missing directories from the top down and forces each one's parent. */
  private static void createMissing(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.getParent();
    createMissing(parent);
    try {
      Files.createDirectory(directory);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
    forceDirectory(parent);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    forceDirectory(to.toAbsolutePath().getParent());
  }

  @Override
  public void delete(Path file) throws IOException {
    if (Files.deleteIfExists(file)) {
      forceDirectory(file.toAbsolutePath().getParent());
    }
  }

  @Override
  public void deleteTree(Path directory) throws IOException {
    if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      Files.walkFileTree(directory, new Deleting());
      forceDirectory(directory.toAbsolutePath().getParent());
    }
  }

  private static void writeAndForce(Path file, byte[] contents) throws IOException {
    try (FileOutputStream out = new FileOutputStream(file.toFile())) {
      out.write(contents);
      out.getFD().sync();
    }
  }

  private static void forceDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** A walk that forces files first, then the directories that hold their names. */
  private static final class Forcing extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (attributes.isRegularFile()) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
          channel.force(true);
        }
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      forceDirectory(directory);
      return FileVisitResult.CONTINUE;
    }
  }

  /** A walk that deletes everything and ignores files that were deleted meanwhile. */
  private static final class Deleting extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
