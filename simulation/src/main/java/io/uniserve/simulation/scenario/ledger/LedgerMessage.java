package io.uniserve.simulation.scenario.ledger;

import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.MessageCodec;
import java.nio.ByteBuffer;
import java.util.List;

/** The messages between the ledger's processes. */
sealed interface LedgerMessage extends Message {
  /** The client's next number. */
  record Append(long number) implements LedgerMessage {}

  /** The number is written. */
  record Appended() implements LedgerMessage {}

  /** The numbers that follow the first {@code from}. */
  record Copy(int from, List<Long> numbers) implements LedgerMessage {}

  /** The number of numbers that the copy has now. */
  record Copied(int count) implements LedgerMessage {}

  /** The messages' codec. */
  MessageCodec CODEC =
      new MessageCodec() {
        private final TypeRegistry types = TypeRegistry.of(List.of(LedgerMessage.class));

        @Override
        public ByteBuffer encode(Message message) {
          return ByteBuffer.wrap(types.encode(message));
        }

        @Override
        public Message decode(ByteBuffer bytes) {
          return (Message) types.decode(bytes);
        }
      };
}
