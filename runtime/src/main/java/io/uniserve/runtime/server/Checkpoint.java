package io.uniserve.runtime.server;

import io.uniserve.runtime.wire.Position;
import java.nio.file.Path;

/**
 * An actor's files as of a position, complete and forced.
 *
 * @param position of the last update in it
 * @param directory holds {@code engine/} with what the engine wrote, {@code keys/} with {@link
 *     StoredKeys}, and {@code meta}
 */
record Checkpoint(Position position, Path directory) {
  /** The directory of the engine's files. */
  static final String ENGINE = "engine";

  /** Returns the directory of the engine's files. */
  Path engineFiles() {
    return directory.resolve(ENGINE);
  }
}
