package io.uniserve.runtime.still;

import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Transport;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import java.io.IOException;
import java.nio.file.Path;

/** What a part of a process runs in while it is tested alone. */
public final class ProcessFixture {
  private ProcessFixture() {}

  /** Threads and random numbers that are real, files in a directory, and what the test decides. */
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
