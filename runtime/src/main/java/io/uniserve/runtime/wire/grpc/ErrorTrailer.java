package io.uniserve.runtime.wire.grpc;

import io.grpc.Metadata;
import io.grpc.Status;
import io.uniserve.api.codec.Decoder;
import io.uniserve.api.codec.Encoder;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.tls.TlsFailure;
import java.util.Optional;

/**
 * The form of an error on the wire: a gRPC status for any reader, with code and message in a
 * trailer.
 */
final class ErrorTrailer {
  /**
   * The greatest length of a message, after which it is cut; all headers together must not exceed 8
   * KiB.
   */
  static final int MESSAGE_CHARS_MAX = 1500;

  private static final Metadata.Key<byte[]> KEY =
      Metadata.Key.of("uniserve-error-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private ErrorTrailer() {}

  static Status statusOf(UniserveException failure) {
    Status status =
        switch (failure.code()) {
          case INVALID_ARGUMENT -> Status.INVALID_ARGUMENT;
          case UNAUTHENTICATED -> Status.UNAUTHENTICATED;
          case FORBIDDEN -> Status.PERMISSION_DENIED;
          case NOT_FOUND -> Status.NOT_FOUND;
          case ALREADY_EXISTS -> Status.ALREADY_EXISTS;
          case UNSUPPORTED -> Status.UNIMPLEMENTED;
          case TOO_LARGE -> Status.OUT_OF_RANGE;
          case DEADLINE_EXCEEDED -> Status.DEADLINE_EXCEEDED;
          case CANCELLED -> Status.CANCELLED;
          case ABORTED, VERSION_GONE -> Status.ABORTED;
          case UNAVAILABLE -> Status.UNAVAILABLE;
          case STALE_ROUTING -> Status.FAILED_PRECONDITION;
          case OVERLOADED, EXHAUSTED -> Status.RESOURCE_EXHAUSTED;
          case CORRUPT -> Status.DATA_LOSS;
          case INTERNAL -> Status.INTERNAL;
        };
    return status;
  }

  static Metadata of(UniserveException failure) {
    Encoder out = new Encoder();
    out.writeString(failure.code().name());
    out.writeString(cut(String.valueOf(failure.getMessage())));
    Metadata trailers = new Metadata();
    trailers.put(KEY, out.toByteArray());
    return trailers;
  }

  /**
   * Returns the failure that a status stands for.
   *
   * @param cancelled true if this side has cancelled the call
   * @param peer names the other side, for failures that it did not send itself
   */
  static UniserveException failureOf(
      Status status, Metadata trailers, boolean cancelled, String peer) {
    byte[] sent = trailers == null ? null : trailers.get(KEY);
    return sent == null ? ofNetwork(status, cancelled, peer) : decode(sent, peer);
  }

  private static UniserveException decode(byte[] sent, String peer) {
    try {
      Decoder in = new Decoder(sent);
      String name = in.readString();
      return new UniserveException(codeNamed(name), in.readString());
    } catch (UniserveException e) {
      return new UniserveException(e.code(), peer + " sent an error that cannot be read", e);
    }
  }

  /**
   * Returns the code of this name. An unknown code of a later version counts as a defect, since it
   * is not known whether a retry helps.
   */
  private static ErrorCode codeNamed(String name) {
    for (ErrorCode code : ErrorCode.values()) {
      if (code.name().equals(name)) {
        return code;
      }
    }
    return ErrorCode.INTERNAL;
  }

  /**
   * Returns the failure of a network error. A peer that cancels a stream is a server that shuts
   * down.
   */
  private static UniserveException ofNetwork(Status status, boolean cancelled, String peer) {
    ErrorCode code =
        switch (status.getCode()) {
          case DEADLINE_EXCEEDED -> ErrorCode.DEADLINE_EXCEEDED;
          case CANCELLED -> cancelled ? ErrorCode.CANCELLED : ErrorCode.UNAVAILABLE;
          case RESOURCE_EXHAUSTED -> ErrorCode.TOO_LARGE;
          case UNIMPLEMENTED -> ErrorCode.UNSUPPORTED;
          default -> ErrorCode.UNAVAILABLE;
        };
    return new UniserveException(code, peer + ": " + describe(status, code), status.getCause());
  }

  private static String describe(Status status, ErrorCode code) {
    Optional<String> handshake = TlsFailure.describe(status.getCause());
    if (handshake.isPresent()) {
      return handshake.get();
    }
    String cause = status.getCause() == null ? "" : ", " + status.getCause().getMessage();
    return switch (code) {
      case DEADLINE_EXCEEDED -> "no end of the call before the deadline";
      case CANCELLED -> "the call was cancelled";
      case TOO_LARGE -> "messageBytesMax is exceeded: " + status.getDescription();
      case UNSUPPORTED -> "no Uniserve process answers there: " + status.getDescription();
      default -> status.getCode() + ", " + status.getDescription() + cause;
    };
  }

  private static String cut(String message) {
    if (message.length() <= MESSAGE_CHARS_MAX) {
      return message;
    }
    int end =
        MESSAGE_CHARS_MAX
            - (Character.isHighSurrogate(message.charAt(MESSAGE_CHARS_MAX - 1)) ? 1 : 0);
    return message.substring(0, end) + "…";
  }
}
