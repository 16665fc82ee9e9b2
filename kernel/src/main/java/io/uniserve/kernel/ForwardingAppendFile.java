package io.uniserve.kernel;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A file that forwards every method to another one unless it is overridden. */
public interface ForwardingAppendFile extends AppendFile {
  /** Returns the file that methods are forwarded to. */
  AppendFile file();

  @Override
  default void append(ByteBuffer bytes) throws IOException {
    file().append(bytes);
  }

  @Override
  default void force() throws IOException {
    file().force();
  }

  @Override
  default int read(ByteBuffer into, long at) throws IOException {
    return file().read(into, at);
  }

  @Override
  default long size() {
    return file().size();
  }

  @Override
  default long roomBytes() throws IOException {
    return file().roomBytes();
  }

  @Override
  default void truncate(long size) throws IOException {
    file().truncate(size);
  }

  @Override
  default void close() throws IOException {
    file().close();
  }
}
