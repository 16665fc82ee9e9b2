package io.uniserve.bench.loading;

import io.uniserve.bench.bare.BareIndexBuild;
import io.uniserve.bench.bare.BareIndexer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The program of the process that loads bare indexes. */
public final class BareLoadProcess {

  private static final int INDEXES = 4;

  private BareLoadProcess() {}

  /**
   * @param arguments those of {@link LoadProgram}; the last of them is a {@link BareIndexer.Mode}
   */
  public static void main(String[] arguments) throws IOException {
    LoadProgram program = LoadProgram.of(arguments);
    BareIndexer.Mode mode = BareIndexer.Mode.valueOf(program.variant());
    List<Path> directories = BareIndexBuild.directories(program.directory(), INDEXES);
    try (BareIndexer indexer = new BareIndexer(directories, mode)) {
      program.run(batch -> batch.forEach(indexer::write), indexer::commit);
    }
  }
}
