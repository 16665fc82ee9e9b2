package io.uniserve.bench.keyvalue;

import io.uniserve.api.Usage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.nio.file.Path;

/** An actor's entries as they were at a moment: a read transaction of SQLite. */
final class KeyValueSnapshot implements KeyValueData {
  private final KeyValueDatabase.Reader reader;

  KeyValueSnapshot(KeyValueDatabase.Reader reader) {
    this.reader = reader;
  }

  @Override
  public long puts() {
    return reader.puts();
  }

  @Override
  public void serialize(Path directory) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "a snapshot is not serialised");
  }

  @Override
  public Usage usage() {
    return Usage.NONE;
  }

  @Override
  public void close() {
    reader.close();
  }
}
