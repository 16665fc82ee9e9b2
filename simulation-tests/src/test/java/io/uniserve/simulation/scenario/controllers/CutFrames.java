package io.uniserve.simulation.scenario.controllers;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.ForwardingStorage;
import io.uniserve.kernel.Storage;
import io.uniserve.runtime.store.FramedFile;
import io.uniserve.runtime.store.FramedFile.Damage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk whose files of frames end before the first damaged one, as if no mark followed it. */
record CutFrames(Storage disk) implements ForwardingStorage {
  @Override
  public AppendFile append(Path file) throws IOException {
    if (Files.exists(file) && isFramed(file)) {
      try (FramedFile framed = FramedFile.open(disk, file, Damage.TOLD, (offset, bytes) -> {})) {
        if (framed.tail().isPresent()) {
          framed.truncate(framed.tail().get().offset());
        }
      }
    }
    return disk.append(file);
  }

  /** Returns whether a file of a controller is a part of its log, or a snapshot. */
  static boolean isFramed(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith("log-") || name.startsWith("snapshot-");
  }
}
