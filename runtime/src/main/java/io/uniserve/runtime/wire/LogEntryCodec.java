package io.uniserve.runtime.wire;

import io.uniserve.api.codec.TypeRegistry;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** The form of log entries on disk. */
public final class LogEntryCodec {
  private final TypeRegistry types;

  /**
   * @param engines whose types payloads are made of
   */
  public LogEntryCodec(Engines engines) {
    types =
        new TypeRegistry(
            List.of(LogEntry.class), Map.of(Payload.class, new Payload.WireForm(engines)));
  }

  /** The entry's bytes. */
  public ByteBuffer encode(LogEntry entry) {
    return ByteBuffer.wrap(types.encode(entry));
  }

  /** The entry that these bytes hold. */
  public LogEntry decode(ByteBuffer bytes) {
    return types.decode(bytes, LogEntry.class);
  }
}
