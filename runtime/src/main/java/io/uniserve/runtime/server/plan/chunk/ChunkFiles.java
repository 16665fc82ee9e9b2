package io.uniserve.runtime.server.plan.chunk;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of chunks for which there is no room in memory. They do not outlive the process. */
public final class ChunkFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ChunkFiles.class);

  private final Storage storage;
  private final Path directory;
  private final AtomicLong last = new AtomicLong();

  public ChunkFiles(Storage storage) {
    this.storage = storage;
    this.directory = storage.root().resolve("queries");
  }

  /** Deletes the files of a former life. */
  public void deleteLeftovers() {
    try {
      storage.deleteTree(directory);
    } catch (IOException e) {
      LOG.warn("the chunks of former queries cannot be deleted", e);
    }
  }

  /** Returns a name for a new file. */
  Path name() {
    return directory.resolve("chunks-" + last.incrementAndGet());
  }

  AppendFile open(Path file) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory);
    }
    return storage.append(file);
  }

  void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("the chunks of an ended query cannot be deleted: {}", file, e);
    }
  }

  /** Returns the failure for chunks that cannot be written. */
  static UniserveException unwritten(IOException e) {
    return new UniserveException(
        ErrorCode.EXHAUSTED,
        "scattered chunks cannot be written to a file: " + UniserveException.reason(e),
        e);
  }
}
