package io.uniserve.runtime.server.checkpoint;

import io.uniserve.runtime.wire.entry.Position;
import java.nio.file.Path;

/**
 * An actor's files as of a position, complete and forced.
 *
 * @param position the position of the last update in it
 * @param directory holds {@code engine/} with what the engine wrote, {@code keys/} with {@link
 *     StoredKeys}, and {@code meta}
 */
public record Checkpoint(Position position, Path directory) {
  /** The directory of the engine's files. */
  public static final String ENGINE = "engine";

  /** Returns the directory of the engine's files. */
  public Path engineFiles() {
    return directory.resolve(ENGINE);
  }
}
