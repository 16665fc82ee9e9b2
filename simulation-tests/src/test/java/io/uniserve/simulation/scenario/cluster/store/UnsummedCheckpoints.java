package io.uniserve.simulation.scenario.cluster.store;

import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A disk on which checkpoints lose their checksums when they are finished, as if they were older
 * than checksums are.
 */
record UnsummedCheckpoints(Storage disk) implements ForwardingStorage {
  @Override
  public void rename(Path from, Path to) throws IOException {
    if (from.getFileName().toString().startsWith("unfinished-")) {
      Files.deleteIfExists(from.resolve("sums"));
      Path meta = from.resolve("meta");
      Files.write(meta, FirstVersion.of(Files.readAllBytes(meta)));
    }
    disk.rename(from, to);
  }
}
