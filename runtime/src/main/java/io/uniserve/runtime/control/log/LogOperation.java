package io.uniserve.runtime.control.log;

import io.uniserve.api.codec.Decoder;
import io.uniserve.api.codec.Encoder;
import io.uniserve.api.codec.Form;
import io.uniserve.api.form.Name;
import io.uniserve.runtime.wire.entry.Forms;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The contents of an entry of the control log. */
public sealed interface LogOperation {
  Form FORM = Forms.of("the control log", Header.class, Decision.class);

  /** The beginning of an entry. */
  sealed interface Header {}

  /**
   * A new leader. From here on only its decisions count, and they belong to the term that the index
   * of this entry names.
   *
   * @param router the leader's identity
   * @param term the term in which it was elected
   */
  // The golden bytes have the name of the component.
  @Name("ReignBegun")
  record TermBegun(String router, int term) implements Header, LogOperation {}

  /**
   * The header of a batch of decisions.
   *
   * @param term the term in which they were made
   * @param number the number of the batch in the term, from 1; a batch after a gap rests on
   *     decisions that were never committed
   */
  @Name("BatchHeader")
  record BatchHeader(long term, long number) implements Header {}

  /**
   * A batch of decisions, each made upon those before it.
   *
   * @param header its term and number
   * @param decisions the decisions, in their order
   */
  record Batch(BatchHeader header, List<Decision> decisions) implements LogOperation {}

  static byte[] encode(TermBegun begun) {
    return FORM.encode(begun);
  }

  static Encoder begin(BatchHeader header) {
    Encoder out = new Encoder();
    FORM.begin(out);
    FORM.types().write(header, out);
    return out;
  }

  static void add(Decision decision, Encoder batch) {
    FORM.types().write(decision, batch);
  }

  static LogOperation decode(byte[] operation) {
    Decoder in = new Decoder(ByteBuffer.wrap(operation));
    FORM.begin(in);
    return switch ((Header) FORM.types().read(in)) {
      case TermBegun begun -> begun;
      case BatchHeader header -> {
        List<Decision> decisions = new ArrayList<>();
        while (in.remaining() > 0) {
          decisions.add((Decision) FORM.types().read(in));
        }
        yield new Batch(header, decisions);
      }
    };
  }
}
