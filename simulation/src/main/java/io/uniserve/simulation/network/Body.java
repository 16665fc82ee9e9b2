package io.uniserve.simulation.network;

import io.uniserve.kernel.Message;
import io.uniserve.kernel.MessageCodec;
import java.nio.ByteBuffer;

/** A message on its way, as bytes or as itself. */
sealed interface Body {
  /** Returns the message at the other end. */
  Message open(MessageCodec codec);

  /** A message as bytes, so that both ends share nothing. */
  record Encoded(byte[] bytes) implements Body {
    @Override
    public Message open(MessageCodec codec) {
      return codec.decode(ByteBuffer.wrap(bytes));
    }
  }

  /** A message as itself. */
  record Reference(Message message) implements Body {
    @Override
    public Message open(MessageCodec codec) {
      return message;
    }
  }

  /** Packs a message as the settings say. */
  static Body of(Message message, SimulatedNetwork network) {
    if (network.settings().byReference()) {
      return new Reference(message);
    }
    ByteBuffer buffer = network.codec().encode(message);
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return new Encoded(bytes);
  }
}
