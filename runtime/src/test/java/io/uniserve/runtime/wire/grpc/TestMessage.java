package io.uniserve.runtime.wire.grpc;

import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.MessageCodec;
import java.nio.ByteBuffer;
import java.util.List;

/** The messages between the tests of the transport. */
sealed interface TestMessage extends Message {

  /** A text. */
  record Text(String text) implements TestMessage {}

  /** Many bytes. */
  record Blob(ByteBuffer bytes) implements TestMessage {}

  /** The messages' codec. */
  MessageCodec CODEC =
      new MessageCodec() {
        private final TypeRegistry types = TypeRegistry.of(List.of(TestMessage.class));

        @Override
        public ByteBuffer encode(Message message) {
          return ByteBuffer.wrap(types.encode(message));
        }

        /** Encodes a message in three pieces, so that they are put together on the way. */
        @Override
        public List<ByteBuffer> encodeInPieces(Message message) {
          ByteBuffer whole = encode(message);
          int third = whole.remaining() / 3;
          return List.of(
              whole.slice(0, third),
              whole.slice(third, third).asReadOnlyBuffer(),
              whole.slice(2 * third, whole.remaining() - 2 * third));
        }

        @Override
        public Message decode(ByteBuffer bytes) {
          return (Message) types.decode(bytes);
        }
      };
}
