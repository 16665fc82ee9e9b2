package io.uniserve.bench.loading;

import io.uniserve.api.Durability;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.systems.HttpLoad;
import io.uniserve.bench.systems.UniserveProgram;
import io.uniserve.bench.systems.WikiTable;
import java.nio.file.Path;

/**
 * A load of a file of JSON lines by {@code ./uniserve load} into {@code ./uniserve start}, over
 * HTTP.
 */
final class ProgramLoading implements LoadTarget {

  private final UniserveProgram program;
  private final Path file;
  private final long documents;

  /**
   * The memory settings.
   *
   * @param heap the heap of the cluster, such as {@code 2g}
   * @param writeBufferMegabytes the write buffer of each actor
   */
  record Settings(String heap, long writeBufferMegabytes) {}

  private ProgramLoading(UniserveProgram program, Path file, long documents) {
    this.program = program;
    this.file = file;
    this.documents = documents;
  }

  /**
   * Starts the cluster and creates the table.
   *
   * @param settings the settings of the cluster and its table
   * @param documents the number of documents in the file
   */
  static ProgramLoading open(
      Path projectRoot, Path directory, Settings settings, Path file, long documents) {
    UniserveProgram program = UniserveProgram.start(projectRoot, directory, settings.heap());
    try {
      WikiTable.create(program, Durability.NONE, settings.writeBufferMegabytes());
      return new ProgramLoading(program, file, documents);
    } catch (RuntimeException e) {
      program.close();
      throw e;
    }
  }

  @Override
  public long processId() {
    return program.processId();
  }

  @Override
  public long load() {
    program.run("load", WikiTable.NAME, file.toString());
    new HttpLoad(program.address(), WikiTable.NAME).commit();
    long found = WikiTable.count(program);
    if (found != documents) {
      throw new BenchException("%d documents loaded, %d found".formatted(documents, found));
    }
    return documents;
  }

  @Override
  public void close() {
    program.close();
  }
}
