package io.uniserve.runtime.control.raft;

import io.uniserve.api.codec.Decoder;
import io.uniserve.api.codec.Encoder;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.runtime.wire.ConsensusMessage.Entry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** One step in the life of a log file. */
sealed interface LogChange {
  TypeRegistry TYPES = TypeRegistry.of(List.of(LogChange.class));

  /**
   * Entries were appended.
   *
   * @param entries in their order
   */
  record Append(List<Entry> entries) implements LogChange {}

  /**
   * Entries that were never committed were replaced by others of a later leader.
   *
   * @param from the first of them
   */
  record Cut(long from) implements LogChange {}

  /**
   * A snapshot stands for the entries until here, whose files are gone.
   *
   * @param index the last of them
   */
  record Floor(long index) implements LogChange {}

  static void write(LogChange change, Encoder out) {
    TYPES.write(change, out);
  }

  static List<LogChange> read(ByteBuffer frame) {
    List<LogChange> changes = new ArrayList<>();
    Decoder in = new Decoder(frame);
    while (in.remaining() > 0) {
      changes.add((LogChange) TYPES.read(in));
    }
    return changes;
  }
}
