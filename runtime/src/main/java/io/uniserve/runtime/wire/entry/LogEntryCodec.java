package io.uniserve.runtime.wire.entry;

import io.uniserve.api.codec.Form;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** The form of log entries on disk; {@link Engines#logEntries} returns it. */
public final class LogEntryCodec {
  /** The largest entry, in bytes: one must fit into a message to a follower. */
  public static final int ENTRY_BYTES_MAX = 48 << 20;

  private final Form form;

  /**
   * @param engines the engines whose types payloads are made of
   */
  LogEntryCodec(Engines engines) {
    form =
        Forms.of(
            "log entries",
            new TypeRegistry(
                List.of(LogEntry.class), Map.of(Payload.class, new Payload.WireForm(engines))));
  }

  public Form form() {
    return form;
  }

  /**
   * Returns the entry's bytes.
   *
   * @throws UniserveException with {@link ErrorCode#TOO_LARGE}
   */
  public ByteBuffer encode(LogEntry entry) {
    byte[] bytes = form.encode(entry);
    requireSize(bytes.length);
    return ByteBuffer.wrap(bytes);
  }

  /**
   * Requires that an entry is not too large.
   *
   * @throws UniserveException with {@link ErrorCode#TOO_LARGE}
   */
  public static void requireSize(long sizeBytes) {
    if (sizeBytes > ENTRY_BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "an update of " + sizeBytes + " bytes for one actor, at most " + ENTRY_BYTES_MAX);
    }
  }

  /** Returns the entry that these bytes hold. */
  public LogEntry decode(ByteBuffer bytes) {
    return form.decode(bytes, LogEntry.class);
  }
}
