package io.uniserve.bench;

import io.uniserve.bench.corpus.Corpus;
import io.uniserve.bench.corpus.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of every benchmark that reads the corpus. */
public final class CorpusOptions {

  private static final long QUICK_DOCUMENTS = 20_000;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = {
        "Where the real inputs are.",
        "Default: $UNISERVE_DATA, else ../shared/data beside the project."
      })
  private Path data;

  @Option(
      names = "--documents",
      paramLabel = "N",
      description = "Use only the first N documents. Default: all, about 206,000.")
  private Long documents;

  @Option(
      names = "--quick",
      description = "A smoke run: 20,000 documents, few queries, short windows. Proves no figure.")
  private boolean quick;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description =
          "Gets a new directory for indexes, logs and results. Default: bench/target/run.")
  private Path work;

  public boolean quick() {
    return quick;
  }

  public DataDirectory data() {
    return DataDirectory.of(
        Optional.ofNullable(data),
        Optional.ofNullable(System.getenv(DataDirectory.VARIABLE)),
        ProjectRoot.find());
  }

  public Corpus corpus() {
    long all = quick ? QUICK_DOCUMENTS : Long.MAX_VALUE;
    return Corpus.wikipedia(data(), documents == null ? all : documents);
  }

  /** A new directory for the benchmark of this name. */
  public Path newWorkDirectory(String name) {
    Path parent = work == null ? ProjectRoot.find().resolve("bench/target/run") : work;
    try {
      Files.createDirectories(parent);
      return Files.createTempDirectory(parent, name + "-").toAbsolutePath();
    } catch (IOException e) {
      throw new BenchException("Cannot create a directory in " + parent + ": " + e.getMessage(), e);
    }
  }
}
