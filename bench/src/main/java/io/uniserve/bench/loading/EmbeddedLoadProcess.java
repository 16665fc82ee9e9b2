package io.uniserve.bench.loading;

import io.uniserve.bench.systems.EmbeddedTable;
import java.io.IOException;

/**
 * The program of the process that loads an embedded cluster of one server through the Java client.
 */
public final class EmbeddedLoadProcess {

  private static final int SERVERS = 1;

  private EmbeddedLoadProcess() {}

  /**
   * @param arguments those of {@link LoadProgram}
   */
  public static void main(String[] arguments) throws IOException {
    LoadProgram program = LoadProgram.of(arguments);
    try (EmbeddedTable table = EmbeddedTable.create(program.directory(), SERVERS)) {
      program.run(table::load, table::makeVisible);
    }
  }
}
