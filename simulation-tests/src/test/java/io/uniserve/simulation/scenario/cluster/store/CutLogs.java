package io.uniserve.simulation.scenario.cluster.store;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import io.uniserve.runtime.store.FramedFile;
import io.uniserve.runtime.store.FramedFile.Damage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk whose logs end before their first damaged entry, as if all damage were a torn end. */
record CutLogs(Storage disk) implements ForwardingStorage {
  @Override
  public AppendFile append(Path file) throws IOException {
    if (file.toString().endsWith(".log") && Files.exists(file)) {
      FramedFile.open(disk, file, Damage.UNFORCED_TAIL, (offset, bytes) -> {}).close();
    }
    return disk.append(file);
  }
}
