package io.uniserve.bench.option;

import io.uniserve.bench.base.ProjectRoot;
import io.uniserve.bench.corpus.Corpus;
import io.uniserve.bench.corpus.DataDirectory;
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

  public DataDirectory data() {
    return DataDirectory.of(
        Optional.ofNullable(data),
        Optional.ofNullable(System.getenv(DataDirectory.VARIABLE)),
        ProjectRoot.find());
  }

  /**
   * @param quick true for only 20,000 documents, unless the option says another number
   */
  public Corpus corpus(boolean quick) {
    long all = quick ? QUICK_DOCUMENTS : Long.MAX_VALUE;
    return Corpus.wikipedia(data(), documents == null ? all : documents);
  }
}
