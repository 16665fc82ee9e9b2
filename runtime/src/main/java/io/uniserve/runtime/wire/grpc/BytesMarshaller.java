package io.uniserve.runtime.wire.grpc;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Messages as bytes. The network library has checked the size before {@link #parse}; what is parsed
 * is a copy, made once, which may be kept.
 */
final class BytesMarshaller implements Marshaller<ByteBuffer> {

  @Override
  public InputStream stream(ByteBuffer bytes) {
    if (bytes.hasArray()) {
      return new ArrayStream(
          bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    }
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(bytes.position(), copy);
    return new ArrayStream(copy, 0, copy.length);
  }

  @Override
  public ByteBuffer parse(InputStream stream) {
    try {
      if (stream instanceof KnownLength) {
        byte[] bytes = new byte[stream.available()];
        if (stream.readNBytes(bytes, 0, bytes.length) < bytes.length) {
          throw new EOFException("a message of " + bytes.length + " bytes is cut off");
        }
        return ByteBuffer.wrap(bytes);
      }
      return ByteBuffer.wrap(stream.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tells its length, and is copied in one go. */
  private static final class ArrayStream extends ByteArrayInputStream
      implements KnownLength, Drainable {
    ArrayStream(byte[] bytes, int offset, int length) {
      super(bytes, offset, length);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int length = count - pos;
      target.write(buf, pos, length);
      pos = count;
      return length;
    }
  }
}
