package io.uniserve.runtime.server;

import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.runtime.wire.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What the runtime keeps beside an engine's files in every checkpoint.
 *
 * @param position of the last update in it
 * @param timeMillis of that update, see {@link io.uniserve.runtime.wire.LogEntry}
 * @param keys the idempotency keys of the most recent updates, the oldest first, and where they
 *     were applied
 */
record CheckpointMeta(Position position, long timeMillis, Map<String, Position> keys) {
  private static final TypeRegistry TYPES = TypeRegistry.of(List.of(CheckpointMeta.class));
  private static final String FILE = "meta";

  /** The same of another position. */
  CheckpointMeta at(Position other) {
    return new CheckpointMeta(other, timeMillis, keys);
  }

  void write(Path directory) throws IOException {
    Files.write(directory.resolve(FILE), TYPES.encode(this));
  }

  static CheckpointMeta read(Path directory) throws IOException {
    return (CheckpointMeta)
        TYPES.decode(ByteBuffer.wrap(Files.readAllBytes(directory.resolve(FILE))));
  }
}
