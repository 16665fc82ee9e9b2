package io.uniserve.testkit.local;

import io.uniserve.api.codec.Encoder;
import io.uniserve.api.codec.TypeRegistry;
import java.nio.ByteBuffer;
import java.util.Collection;

/** A passage of values through their codecs, as between two servers. */
final class Wire {
  private final TypeRegistry types;

  Wire(Collection<? extends Class<?>> types) {
    this.types = TypeRegistry.of(types);
  }

  /** Returns a value after its passage. */
  @SuppressWarnings("unchecked")
  <T> T travel(T value) {
    return (T) types.decode(ByteBuffer.wrap(types.encode(value)));
  }

  /** Returns the size of a value with the name of its type, in bytes. */
  int sizeBytes(Object value) {
    Encoder out = new Encoder();
    types.write(value, out);
    return out.toByteArray().length;
  }
}
