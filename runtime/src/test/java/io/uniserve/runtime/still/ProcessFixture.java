package io.uniserve.runtime.still;

import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Transport;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import java.io.IOException;
import java.nio.file.Path;

/** The surroundings of a part of a process that is tested alone. */
public final class ProcessFixture {
  private ProcessFixture() {}

  /**
   * Returns an environment with real threads and random numbers, files in a directory, and the
   * parts that the test decides.
   */
  public static ProductionEnvironment environment(Clock clock, Path directory, Transport transport)
      throws IOException {
    return new ProductionEnvironment(
        clock,
        new ProductionThreads(),
        new FileStorage(directory),
        ProductionEnvironment.unseeded(),
        transport);
  }
}
