package io.uniserve.runtime.wire.grpc;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.MessageCodec;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Threads;

/**
 * The context of both ends of every call.
 *
 * @param clock the clock of deadlines
 * @param threads make the signals that repliers wait on
 * @param codec the codec of messages
 * @param settings the bounds
 * @param security admits members
 */
record CallContext(
    Clock clock,
    Threads threads,
    MessageCodec codec,
    GrpcSettings settings,
    GrpcSecurity security) {

  /** Returns the message's bytes, if it is not too large. */
  Bytes encode(Message message) {
    Bytes bytes = new Bytes(codec.encodeInPieces(message));
    if (bytes.length() > settings.messageBytesMax()) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          message.getClass().getSimpleName()
              + " of "
              + bytes.length()
              + " bytes: messageBytesMax is "
              + settings.messageBytesMax());
    }
    return bytes;
  }

  Message decode(Bytes bytes) {
    return codec.decode(bytes.whole());
  }

  Signal signal() {
    return threads.signal();
  }
}
