package io.uniserve.runtime.wire.grpc;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * The conversion of messages to bytes. The network library has checked the size before {@link
 * #parse}; the parsed bytes are a copy, made once, which may be kept.
 */
final class BytesMarshaller implements Marshaller<Bytes> {

  @Override
  public InputStream stream(Bytes bytes) {
    return new PiecesStream(bytes);
  }

  @Override
  public Bytes parse(InputStream stream) {
    try {
      if (stream instanceof KnownLength) {
        byte[] bytes = new byte[stream.available()];
        if (stream.readNBytes(bytes, 0, bytes.length) < bytes.length) {
          throw new EOFException("a message of " + bytes.length + " bytes is cut off");
        }
        return new Bytes(ByteBuffer.wrap(bytes));
      }
      return new Bytes(ByteBuffer.wrap(stream.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
