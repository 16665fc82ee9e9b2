package io.uniserve.simulation.scenario.controllers;

import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A disk that writes of a file only what its readable content lacks at the end, as if all readable
 * content were durable.
 */
record RereadFiles(Storage disk) implements ForwardingStorage {
  @Override
  public void replace(Path file, byte[] contents) throws IOException {
    byte[] known = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
    int end = known.length;
    boolean begun =
        end > 0 && end <= contents.length && Arrays.equals(known, 0, end, contents, 0, end);
    if (begun) {
      Files.write(
          file, Arrays.copyOfRange(contents, end, contents.length), StandardOpenOption.APPEND);
    } else {
      disk.replace(file, contents);
    }
  }
}
