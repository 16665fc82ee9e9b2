package io.uniserve.runtime.wire.grpc;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.MessageCodec;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Threads;
import java.nio.ByteBuffer;

/**
 * What both ends of every call need.
 *
 * @param clock of deadlines
 * @param threads what repliers wait on
 * @param codec of messages
 * @param settings the bounds
 * @param security who is let in
 */
record CallContext(
    Clock clock,
    Threads threads,
    MessageCodec codec,
    GrpcSettings settings,
    GrpcSecurity security) {

  /** The message's bytes, if it is not too large. */
  ByteBuffer encode(Message message) {
    ByteBuffer bytes = codec.encode(message);
    if (bytes.remaining() > settings.messageBytesMax()) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          message.getClass().getSimpleName()
              + " of "
              + bytes.remaining()
              + " bytes: messageBytesMax is "
              + settings.messageBytesMax());
    }
    return bytes;
  }

  Signal signal() {
    return threads.signal();
  }
}
