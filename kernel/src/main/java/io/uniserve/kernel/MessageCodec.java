package io.uniserve.kernel;

import java.nio.ByteBuffer;
import java.util.List;

/** How messages become bytes. Given to a transport by whoever knows the messages. */
public interface MessageCodec {
  /** The message's bytes. */
  ByteBuffer encode(Message message);

  /**
   * The same bytes in pieces that follow each other. A piece may be memory of the message, which
   * does not change any more, so that what is large need not be copied.
   */
  default List<ByteBuffer> encodeInPieces(Message message) {
    return List.of(encode(message));
  }

  /**
   * The message that these bytes hold. Keeps no reference to the buffer's memory beyond the
   * message's life.
   *
   * @throws io.uniserve.api.UniserveException with {@link io.uniserve.api.ErrorCode#CORRUPT} if
   *     they hold none
   */
  Message decode(ByteBuffer bytes);
}
