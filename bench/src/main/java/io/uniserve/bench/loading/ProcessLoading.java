package io.uniserve.bench.loading;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.systems.ChildProcess;
import io.uniserve.bench.systems.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A target that is a process of a {@link LoadProgram}. */
final class ProcessLoading implements LoadTarget {

  private static final String HEAP = "2g";

  private final Path log;
  private final ChildProcess process;
  private final BufferedReader lines;
  private final long documents;

  private ProcessLoading(Path log, ChildProcess process) {
    this.log = log;
    this.process = process;
    this.lines =
        new BufferedReader(new InputStreamReader(process.output(), StandardCharsets.UTF_8));
    this.documents = Long.parseLong(await(LoadProgram.READY));
  }

  /**
   * Starts the process and waits until it has read the corpus.
   *
   * @param main the class that makes a {@link LoadProgram} of its arguments
   */
  static ProcessLoading open(Class<?> main, LoadProgram program) {
    List<String> command = JavaCommand.of(main, HEAP);
    command.addAll(program.arguments());
    Path log = program.directory().resolveSibling(program.directory().getFileName() + ".log");
    ChildProcess process = ChildProcess.start(main.getSimpleName(), command, log);
    try {
      return new ProcessLoading(log, process);
    } catch (BenchException e) {
      process.close();
      throw e;
    }
  }

  private String await(String beginning) {
    try {
      String line = lines.readLine();
      if (line == null || !line.startsWith(beginning)) {
        throw new BenchException("A loading process said %s; see %s".formatted(line, log));
      }
      return line.substring(beginning.length());
    } catch (IOException e) {
      throw new BenchException("A loading process broke off; see " + log, e);
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
      throw new BenchException("A loading process broke off; see " + log, e);
    }
    await(LoadProgram.DONE);
    return documents;
  }

  @Override
  public void close() {
    process.close();
  }
}
