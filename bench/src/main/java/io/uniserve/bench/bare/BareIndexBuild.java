package io.uniserve.bench.bare;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.corpus.Corpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A builder of the bare indexes of a corpus, for when no system under comparison has built some.
 */
public final class BareIndexBuild {

  private BareIndexBuild() {}

  /**
   * Writes new indexes and returns their directories.
   *
   * @param parent gets one directory for each index
   */
  public static List<Path> build(Corpus corpus, Path parent, int count) {
    try {
      List<Path> directories = directories(parent, count);
      try (BareIndexer indexer = new BareIndexer(directories, BareIndexer.Mode.ADD)) {
        corpus.forEach(indexer::write);
      }
      return directories;
    } catch (IOException e) {
      throw new BenchException("Cannot build indexes in " + parent + ": " + e.getMessage(), e);
    }
  }

  public static List<Path> directories(Path parent, int count) throws IOException {
    List<Path> directories = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      directories.add(Files.createDirectories(parent.resolve("index-" + i)));
    }
    return directories;
  }
}
