package io.uniserve.bench.bare;

import io.uniserve.bench.BenchException;
import io.uniserve.bench.corpus.Corpus;
import io.uniserve.bench.loading.LoadTarget;
import io.uniserve.bench.systems.ChildProcess;
import io.uniserve.bench.systems.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Bare index writers as a target: a {@link BareLoadProcess}. */
public final class BareLoading implements LoadTarget {

  private static final int INDEXES = 4;
  private static final String READY = "READY ";
  private static final String DONE = "DONE";

  private final Path log;
  private final ChildProcess process;
  private final BufferedReader lines;
  private final long documents;

  private BareLoading(Path log, ChildProcess process) {
    this.log = log;
    this.process = process;
    this.lines =
        new BufferedReader(new InputStreamReader(process.output(), StandardCharsets.UTF_8));
    this.documents = Long.parseLong(await(READY));
  }

  /**
   * Starts the process and lets it read the corpus.
   *
   * @param directory gets the indexes
   */
  public static BareLoading open(
      BareIndexer.Mode mode, int threads, Corpus corpus, Path directory, Path log) {
    List<String> command = JavaCommand.of(BareLoadProcess.class, "2g");
    command.add(mode.name());
    command.add(Integer.toString(threads));
    command.add(Integer.toString(INDEXES));
    command.add(directory.toString());
    command.add(Long.toString(corpus.documentsMax()));
    corpus.files().forEach(file -> command.add(file.toString()));
    ChildProcess process = ChildProcess.start("bare loading", command, log);
    try {
      return new BareLoading(log, process);
    } catch (BenchException e) {
      process.close();
      throw e;
    }
  }

  private String await(String beginning) {
    try {
      String line = lines.readLine();
      if (line == null || !line.startsWith(beginning)) {
        throw new BenchException("Bare loading said %s; see %s".formatted(line, log));
      }
      return line.substring(beginning.length());
    } catch (IOException e) {
      throw new BenchException("Bare loading broke off; see " + log, e);
    }
  }

  @Override
  public long processId() {
    return process.processId();
  }

  @Override
  public long load() {
    try {
      process.input().write('\n');
      process.input().flush();
    } catch (IOException e) {
      throw new BenchException("Bare loading broke off; see " + log, e);
    }
    await(DONE);
    return documents;
  }

  @Override
  public void close() {
    process.close();
  }
}
