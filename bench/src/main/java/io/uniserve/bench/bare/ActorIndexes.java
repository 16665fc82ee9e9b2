package io.uniserve.bench.bare;

import io.uniserve.bench.base.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.store.FSDirectory;

/**
 * The indexes of a running cluster, made available to the bare engine so that it searches the very
 * same segments. The indexes must have been committed. If files change meanwhile, the indexes are
 * taken again.
 */
public final class ActorIndexes {

  private static final Duration COMMIT_TIMEOUT = Duration.ofMinutes(3);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Path cluster;

  /**
   * @param cluster the directory of an embedded cluster that contains one table
   */
  public ActorIndexes(Path cluster) {
    this.cluster = cluster;
  }

  /**
   * Waits until the indexes on disk together contain the given number of documents, and links their
   * files.
   *
   * @param target gets a directory for each index
   * @return these directories
   */
  public List<Path> take(long documents, Path target) {
    long end = System.nanoTime() + COMMIT_TIMEOUT.toNanos();
    for (int attempt = 0; System.nanoTime() < end; attempt++) {
      Optional<List<Path>> taken = attempt(documents, target.resolve("attempt-" + attempt));
      if (taken.isPresent()) {
        return taken.get();
      }
      pause();
    }
    throw new BenchException(
        "The indexes in %s have not held %,d documents on disk within %d s"
            .formatted(cluster, documents, COMMIT_TIMEOUT.toSeconds()));
  }

  /**
   * Attempts to link the files. Returns empty if documents are still missing, or if the cluster
   * changed files meanwhile.
   */
  private Optional<List<Path>> attempt(long documents, Path target) {
    try {
      List<Path> taken = new ArrayList<>();
      long found = 0;
      for (Path index : liveIndexes()) {
        Path copy = target.resolve("index-" + taken.size());
        link(index, copy);
        found += documentsOf(copy);
        taken.add(copy);
      }
      return found == documents ? Optional.of(taken) : Optional.empty();
    } catch (NoSuchFileException | IndexNotFoundException changing) {
      return Optional.empty();
    } catch (IOException e) {
      throw new BenchException("Cannot take the indexes out of " + cluster + ": " + e, e);
    }
  }

  private List<Path> liveIndexes() throws IOException {
    try (Stream<Path> paths = Files.walk(cluster, 4)) {
      return paths.filter(path -> path.getFileName().toString().startsWith("live-")).toList();
    }
  }

  private static void link(Path index, Path copy) throws IOException {
    Files.createDirectories(copy);
    try (Stream<Path> files = Files.list(index)) {
      for (Path file : files.toList()) {
        if (!file.endsWith("write.lock")) {
          Files.createLink(copy.resolve(file.getFileName()), file);
        }
      }
    }
  }

  private static long documentsOf(Path index) throws IOException {
    try (FSDirectory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      return reader.numDocs();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted while the cluster committed its indexes", e);
    }
  }
}
