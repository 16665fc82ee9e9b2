package io.uniserve.kernel;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A codec of messages. The part of the program that knows the message types gives it to a
 * transport.
 */
public interface MessageCodec {
  /** Encodes a message. */
  ByteBuffer encode(Message message);

  /**
   * Encodes a message as successive pieces. A piece may be memory of the message, which no longer
   * changes, so that large contents need not be copied.
   */
  default List<ByteBuffer> encodeInPieces(Message message) {
    return List.of(encode(message));
  }

  /**
   * Decodes a message. Only the message may refer to the buffer's memory afterwards.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#CORRUPT} if the bytes hold no message
   */
  Message decode(ByteBuffer bytes);
}
