package io.uniserve.engines.search;

import io.uniserve.api.Usage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;

/** A snapshot of an index: one Lucene reader, which shares its files with all others. */
final class IndexSnapshot extends SearchActor {
  private final LiveIndex index;
  private final DirectoryReader reader;

  /** Makes a snapshot of the index as it is now. */
  IndexSnapshot(LiveIndex index) throws IOException {
    super(index.context(), index.schema());
    this.index = index;
    this.reader = index.acquire();
  }

  @Override
  DirectoryReader acquire() {
    reader.incRef();
    return reader;
  }

  @Override
  void release(DirectoryReader acquired) throws IOException {
    acquired.decRef();
  }

  @Override
  LiveIndex live() {
    throw new IllegalStateException(where() + ": a snapshot is never updated");
  }

  @Override
  public void serialize(Path directory) {
    throw new IllegalStateException(where() + ": a snapshot is never serialised");
  }

  @Override
  public Usage usage() {
    return Usage.NONE;
  }

  @Override
  public void close() {
    try {
      index.release(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
