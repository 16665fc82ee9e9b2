package io.uniserve.simulation.disk;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.UnusableFileException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that only grows. */
final class SimulatedAppendFile implements AppendFile {
  private final Path file;
  private final Forcing durable;
  private final DiskDelay delay;
  private final OutputStream out;
  private long size;
  private boolean open = true;
  private IOException broken;

  SimulatedAppendFile(Path file, Forcing durable, DiskDelay delay) throws IOException {
    this.file = file;
    this.durable = durable;
    this.delay = delay;
    boolean created = Files.notExists(file);
    // A stream is used, since an interrupt closes a channel.
    out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    size = Files.size(file);
    if (created) {
      durable.forceNames(file.getParent());
    }
  }

  @Override
  public void append(ByteBuffer bytes) throws IOException {
    requireOpen();
    delay.write(file);
    byte[] all = new byte[bytes.remaining()];
    bytes.get(all);
    int first = all.length > 0 && delay.inTwoParts() ? delay.split(all.length) : all.length;
    try {
      out.write(all, 0, first);
      if (first < all.length) {
        delay.write(file);
        out.write(all, first, all.length - first);
      }
      size += all.length;
    } catch (IOException e) {
      cut(size);
      throw e;
    }
  }

  @Override
  public void force() throws IOException {
    requireOpen();
    long appended = size;
    delay.force();
    requireOpen();
    if (delay.forceFails()) {
      broken = DiskFaults.failure(file);
      durable.drop(file, delay.random());
      requireOpen();
    }
    durable.forcePrefix(file, Math.min(appended, size));
  }

  @Override
  public int read(ByteBuffer into, long at) throws IOException {
    if (delay.readFails()) {
      throw DiskFaults.failure(file);
    }
    boolean interrupted = Thread.interrupted();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return channel.read(into, at);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public long roomBytes() throws IOException {
    return Files.getFileStore(file).getUsableSpace();
  }

  @Override
  public void truncate(long newSize) throws IOException {
    requireOpen();
    if (newSize < size) {
      delay.write(file);
      cut(newSize);
      size = newSize;
    }
  }

  private void cut(long newSize) throws IOException {
    boolean interrupted = Thread.interrupted();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(newSize);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    durable.cutPrefix(file, newSize);
  }

  private void requireOpen() throws IOException {
    if (!open) {
      throw new IOException(file + " is closed");
    }
    if (broken != null) {
      throw new UnusableFileException(file.toString(), broken);
    }
  }

  @Override
  public void close() throws IOException {
    open = false;
    out.close();
  }
}
