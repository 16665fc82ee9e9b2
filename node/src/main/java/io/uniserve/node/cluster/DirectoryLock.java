package io.uniserve.node.cluster;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A lock that keeps two processes from using one directory. A process that dies loses its lock. */
public final class DirectoryLock implements AutoCloseable {
  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Locks a directory, which is created if needed.
   *
   * @throws UniserveException with {@link ErrorCode#ALREADY_EXISTS} if it is locked, naming the
   *     process that locked it; with {@link ErrorCode#UNSUPPORTED} if its files have an unknown
   *     version
   */
  public static DirectoryLock acquire(Path directory) {
    Path file = directory.resolve("lock");
    try {
      Files.createDirectories(directory);
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      DirectoryLock lock = acquire(directory, channel);
      try {
        DirectoryVersion.require(directory);
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
      return lock;
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot use the directory " + directory + ": " + UniserveException.reason(e),
          e);
    }
  }

  private static DirectoryLock acquire(Path directory, FileChannel channel) throws IOException {
    boolean locked = false;
    try {
      FileLock lock = channel.tryLock();
      locked = lock != null;
    } catch (OverlappingFileLockException e) {
      throw inUse(directory, "this very process");
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    if (!locked) {
      throw inUse(directory, "another process");
    }
    channel.truncate(0);
    channel.write(
        ByteBuffer.wrap(
            Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)),
        0);
    return new DirectoryLock(channel);
  }

  private static UniserveException inUse(Path directory, String by) throws IOException {
    String holder = Files.readString(directory.resolve("lock")).strip();
    return new UniserveException(
        ErrorCode.ALREADY_EXISTS,
        "the directory "
            + directory
            + " is in use by "
            + by
            + (holder.matches("[0-9]{1,10}") ? " (process " + holder + ")" : ""));
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }
}
