package io.uniserve.runtime.wire.grpc;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.entry.Forms;
import java.util.Optional;

/** The protocol that both ends of a connection share. */
final class Protocol {
  /** The version, which changes with every form that is sent: see {@link Forms}. */
  static final int VERSION = Forms.VERSION;

  static final String SERVICE = "uniserve.Transport";

  static final Metadata.Key<String> VERSION_HEADER =
      Metadata.Key.of("uniserve-protocol", Metadata.ASCII_STRING_MARSHALLER);

  static final MethodDescriptor<Bytes, Bytes> CALL =
      MethodDescriptor.<Bytes, Bytes>newBuilder()
          .setType(MethodType.SERVER_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Call"))
          .setRequestMarshaller(new BytesMarshaller())
          .setResponseMarshaller(new BytesMarshaller())
          .build();

  /**
   * The method for messages that are not answered. One call carries them as long as both ends live.
   */
  static final MethodDescriptor<Bytes, Bytes> TELL =
      MethodDescriptor.<Bytes, Bytes>newBuilder()
          .setType(MethodType.CLIENT_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Tell"))
          .setRequestMarshaller(new BytesMarshaller())
          .setResponseMarshaller(new BytesMarshaller())
          .build();

  private Protocol() {}

  /** Returns headers with this program's version; a new object for each call. */
  static Metadata headers() {
    Metadata headers = new Metadata();
    headers.put(VERSION_HEADER, Integer.toString(VERSION));
    return headers;
  }

  /**
   * Returns the reason why the headers of the other side are not accepted; empty if they are.
   *
   * @param peer names the other side
   */
  static Optional<UniserveException> mismatch(Metadata headers, String peer) {
    String version = headers.get(VERSION_HEADER);
    if (Integer.toString(VERSION).equals(version)) {
      return Optional.empty();
    }
    String spoken = version == null ? "no version of it" : "version " + abbreviate(version);
    return Optional.of(
        new UniserveException(
            ErrorCode.UNSUPPORTED,
            "this program speaks version "
                + VERSION
                + " of Uniserve's protocol, "
                + peer
                + " speaks "
                + spoken));
  }

  private static String abbreviate(String text) {
    return text.length() <= 20 ? text : text.substring(0, 20) + "…";
  }
}
