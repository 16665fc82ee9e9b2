package io.uniserve.runtime.control;

import io.uniserve.api.codec.Decoder;
import io.uniserve.api.codec.Encoder;
import io.uniserve.api.codec.Form;
import io.uniserve.api.codec.Name;
import io.uniserve.runtime.wire.Forms;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What an entry of the control log says. */
sealed interface LogOperation {
  Form FORM = Forms.of("the control log", Header.class, Decision.class);

  /** How an entry begins. */
  sealed interface Header {}

  /**
   * A new leader: from here on only its decisions count, and they are those of the reign that the
   * index of this entry names.
   *
   * @param router the leader's identity
   * @param term in which it was elected
   */
  @Name("ReignBegun")
  record ReignBegun(String router, int term) implements Header, LogOperation {}

  /**
   * Decisions of a reign follow.
   *
   * @param reign in which they were made
   * @param number of the batch in the reign, from 1: one that follows a gap rests on decisions that
   *     never came to be
   */
  @Name("BatchHeader")
  record BatchHeader(long reign, long number) implements Header {}

  /**
   * Decisions that were made one upon another.
   *
   * @param header of which reign
   * @param decisions in their order
   */
  record Batch(BatchHeader header, List<Decision> decisions) implements LogOperation {}

  static byte[] encode(ReignBegun begun) {
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
      case ReignBegun begun -> begun;
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
