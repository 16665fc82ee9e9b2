package io.uniserve.runtime.control.raft;

import io.uniserve.api.codec.Decoder;
import io.uniserve.api.codec.Encoder;
import io.uniserve.api.codec.Form;
import io.uniserve.api.form.Name;
import io.uniserve.runtime.wire.ConsensusMessage.Entry;
import io.uniserve.runtime.wire.entry.Forms;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** One step in the life of a log file. */
sealed interface LogChange {
  Form FORM = Forms.of("a controller's log", LogChange.class);

  /**
   * Entries were appended.
   *
   * @param entries the entries, in their order
   */
  @Name("Append")
  record Append(List<Entry> entries) implements LogChange {}

  /**
   * Uncommitted entries were replaced by others of a later leader.
   *
   * @param from the first of them
   */
  @Name("Cut")
  record Cut(long from) implements LogChange {}

  /**
   * A snapshot replaces the entries up to here, whose files are deleted.
   *
   * @param index the last of them
   */
  @Name("Floor")
  record Floor(long index) implements LogChange {}

  /** Adds a change to those of a frame. */
  static void write(LogChange change, Encoder out) {
    if (out.size() == 0) {
      FORM.begin(out);
    }
    FORM.types().write(change, out);
  }

  static List<LogChange> read(ByteBuffer frame) {
    List<LogChange> changes = new ArrayList<>();
    Decoder in = new Decoder(frame);
    FORM.begin(in);
    while (in.remaining() > 0) {
      changes.add((LogChange) FORM.types().read(in));
    }
    return changes;
  }
}
