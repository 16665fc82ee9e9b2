package io.uniserve.kernel.production;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.UnusableFileException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A growing file whose {@link #force} calls share their work (group commit): calls that arrive
 * while one waits for the disk are served together by the next.
 *
 * <p>It does not use a {@link java.nio.channels.FileChannel}, because an interrupt of the writing
 * thread would close it. Every use fails after a failed write that could not be undone, and after a
 * failed force, since the system may have dropped unwritten bytes.
 */
final class ForcedFile implements AppendFile {
  private static final int COPY_BYTES = 64 << 10;

  /** A way to wait until the disk has everything that was written to a file. */
  @FunctionalInterface
  interface Disk {
    /** The machine's own disk. */
    Disk REAL = file -> file.getFD().sync();

    /** Waits until the disk has the file. */
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
   * The number of changes of the file. The contents that an earlier process left count as the first
   * change, since that process may not have forced them.
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
  public long roomBytes() {
    return path.toFile().getUsableSpace();
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
      throw new UnusableFileException(path.toString(), e);
    }
  }

  /** Counts a change of the file; only the appending thread calls it. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField")
  private void changed() {
    changes = changes + 1;
  }

  private void requireSound() throws IOException {
    IOException cause = broken;
    if (cause != null) {
      throw new UnusableFileException(path.toString(), cause);
    }
  }
}
