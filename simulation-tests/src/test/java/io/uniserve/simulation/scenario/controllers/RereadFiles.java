package io.uniserve.simulation.scenario.controllers;

import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A disk that does not write a file again if its readable content is the same, as if all readable
 * content were durable.
 */
record RereadFiles(Storage disk) implements ForwardingStorage {
  @Override
  public void replace(Path file, byte[] contents) throws IOException {
    if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), contents)) {
      disk.replace(file, contents);
    }
  }
}
