package io.uniserve.bench.option;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.base.ProjectRoot;
import io.uniserve.bench.report.DocsSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/**
 * Options of every benchmark: the extent of its work, its directory, and the destination of its
 * report.
 */
public final class RunOptions {

  @Option(
      names = "--quick",
      description = "A smoke run: little data, few and short windows. Proves no figure.")
  private boolean quick;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "Gets a new directory for data, logs and results. Default: bench/target/run.")
  private Path work;

  @Option(
      names = "--docs",
      description = "Write the results into their page of docs/benchmarks too.")
  private boolean docs;

  public boolean quick() {
    return quick;
  }

  public boolean docs() {
    return docs;
  }

  /**
   * Returns the directory in which every run has a directory of its own, and in which runs may keep
   * what they share.
   */
  public Path parentDirectory() {
    Path parent = work == null ? ProjectRoot.find().resolve("bench/target/run") : work;
    try {
      return Files.createDirectories(parent).toAbsolutePath();
    } catch (IOException e) {
      throw new BenchException("Cannot create " + parent + ": " + e.getMessage(), e);
    }
  }

  /** Creates a new directory for the benchmark of this name. */
  public Path newDirectory(String name) {
    Path parent = parentDirectory();
    try {
      return Files.createTempDirectory(parent, name + "-");
    } catch (IOException e) {
      throw new BenchException("Cannot create a directory in " + parent + ": " + e.getMessage(), e);
    }
  }

  /** Returns the directory of the pages that show results, and of their plots. */
  public Path pages() {
    return ProjectRoot.find().resolve("docs/benchmarks");
  }

  /**
   * Prints a report, and writes it into its page if the option is set.
   *
   * @param section the name of the section in the page
   */
  public void publish(String section, String report) {
    System.out.println(report);
    if (docs) {
      DocsSection.replaceIn(pages(), section, report);
    }
  }
}
