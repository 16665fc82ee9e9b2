package io.uniserve.kernel.production;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.UnusableFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A growing file whose {@link #force} calls share their work: while one waits for the disk, all
 * that come meanwhile wait for the next one together (group commit).
 *
 * <p>Not a {@link java.nio.channels.FileChannel}, which an interrupt of the writing thread closes.
 * After a failed write that could not be undone, or a failed force, after which the system may have
 * dropped what it could not write, every further use fails.
 */
final class ForcedFile implements AppendFile {
  private static final int COPY_BYTES = 64 << 10;

  /** Waits until the disk has all that was written to a file. */
  @FunctionalInterface
  interface Disk {
    /** The machine's own. */
    Disk REAL = file -> file.getFD().sync();

    /** Waits. */
    void sync(RandomAccessFile file) throws IOException;
  }

  private final Path path;
  private final RandomAccessFile file;
  private final FileChannel reader;
  private final Disk disk;
  private final ReentrantLock forcing = new ReentrantLock();
  private volatile long size;
  private volatile IOException broken;

  /**
   * Counts changes of the file, and those of them that the disk has. What a former process wrote is
   * the first: nobody knows whether that process came to force it.
   */
  private volatile long changes = 1;

  private volatile long forced;

  ForcedFile(Path path) throws IOException {
    this(path, Disk.REAL);
  }

  ForcedFile(Path path, Disk disk) throws IOException {
    this.path = path;
    this.disk = disk;
    file = new RandomAccessFile(path.toFile(), "rw");
    reader = FileChannel.open(path, StandardOpenOption.READ);
    size = file.length();
  }

  @Override
  public void append(ByteBuffer bytes) throws IOException {
    requireSound();
    long before = size;
    try {
      file.seek(before);
      write(bytes.duplicate());
    } catch (IOException e) {
      undo(before, e);
      requireSound();
      throw e;
    }
    size = before + bytes.remaining();
    changed();
  }

  @Override
  public void force() throws IOException {
    long wanted = changes;
    if (forced >= wanted) {
      requireSound();
      return;
    }
    forcing.lock();
    try {
      requireSound();
      if (forced < wanted) {
        long covered = changes;
        sync();
        forced = covered;
      }
    } finally {
      forcing.unlock();
    }
  }

  @Override
  public int read(ByteBuffer into, long at) throws IOException {
    return reader.read(into, at);
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public void truncate(long newSize) throws IOException {
    requireSound();
    if (newSize < 0 || newSize > size) {
      throw new IllegalArgumentException(
          path + ": cannot be cut to " + newSize + " bytes, has " + size);
    }
    file.setLength(newSize);
    size = newSize;
    changed();
  }

  @Override
  public void close() throws IOException {
    forcing.lock();
    try (reader) {
      file.close();
    } finally {
      forcing.unlock();
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    if (bytes.hasArray()) {
      file.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
      return;
    }
    byte[] copy = new byte[Math.min(COPY_BYTES, bytes.remaining())];
    while (bytes.hasRemaining()) {
      int length = Math.min(copy.length, bytes.remaining());
      bytes.get(copy, 0, length);
      file.write(copy, 0, length);
    }
  }

  private void undo(long formerSize, IOException failure) {
    try {
      file.setLength(formerSize);
    } catch (IOException e) {
      failure.addSuppressed(e);
      broken = failure;
    }
    changed();
  }

  private void sync() throws IOException {
    try {
      disk.sync(file);
    } catch (IOException e) {
      broken = e;
      throw new UnusableFile(path.toString(), e);
    }
  }

  /** Only the appending thread changes the file. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField")
  private void changed() {
    changes = changes + 1;
  }

  private void requireSound() throws IOException {
    IOException cause = broken;
    if (cause != null) {
      throw new UnusableFile(path.toString(), cause);
    }
  }
}
