package io.uniserve.api.codec;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The codecs of values that contain no others. */
final class ScalarCodecs {
  private ScalarCodecs() {}

  static void addTo(Map<Class<?>, Codec<?>> codecs) {
    both(
        codecs,
        boolean.class,
        Boolean.class,
        of((Boolean v, Encoder o) -> o.writeBoolean(v), Decoder::readBoolean));
    both(
        codecs,
        byte.class,
        Byte.class,
        of((Byte v, Encoder o) -> o.writeByte(v), in -> (byte) in.readByte()));
    both(
        codecs,
        int.class,
        Integer.class,
        of((Integer v, Encoder o) -> o.writeLong(v), ScalarCodecs::readInt));
    both(
        codecs,
        long.class,
        Long.class,
        of((Long v, Encoder o) -> o.writeLong(v), Decoder::readLong));
    both(
        codecs,
        float.class,
        Float.class,
        of((Float v, Encoder o) -> o.writeFloat(v), Decoder::readFloat));
    both(
        codecs,
        double.class,
        Double.class,
        of((Double v, Encoder o) -> o.writeDouble(v), Decoder::readDouble));
    codecs.put(String.class, of((String v, Encoder o) -> o.writeString(v), Decoder::readString));
    codecs.put(byte[].class, of((byte[] v, Encoder o) -> o.writeBytes(v), Decoder::readBytes));
    codecs.put(
        ByteBuffer.class, of((ByteBuffer v, Encoder o) -> o.writeBytes(v), Decoder::readView));
    codecs.put(long[].class, of(ScalarCodecs::writeLongs, ScalarCodecs::readLongs));
    codecs.put(double[].class, of(ScalarCodecs::writeDoubles, ScalarCodecs::readDoubles));
    codecs.put(float[].class, of(ScalarCodecs::writeFloats, ScalarCodecs::readFloats));
    codecs.put(
        Duration.class,
        of(
            (Duration v, Encoder o) -> o.writeLong(nanos(v)),
            in -> Duration.ofNanos(in.readLong())));
    codecs.put(
        PartitionKey.class,
        of(
            (PartitionKey v, Encoder o) -> o.writeBytes(v.bytes()),
            in -> PartitionKey.of(in.readBytes())));
    codecs.put(Object.class, DocumentCodec.INSTANCE);
  }

  private static <T> void both(
      Map<Class<?>, Codec<?>> codecs, Class<?> primitive, Class<?> boxed, Codec<T> codec) {
    codecs.put(primitive, codec);
    codecs.put(boxed, codec);
  }

  private static <T> Codec<T> of(BiConsumer<T, Encoder> writer, Function<Decoder, T> reader) {
    return new Codec<>() {
      @Override
      public void write(T value, Encoder out) {
        writer.accept(value, out);
      }

      @Override
      public T read(Decoder in) {
        return reader.apply(in);
      }
    };
  }

  private static long nanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      throw UniserveException.invalid("a duration of " + duration + " is beyond 292 years");
    }
  }

  private static int readInt(Decoder in) {
    long value = in.readLong();
    if (value != (int) value) {
      throw Decoder.corrupt(value + " is not an int");
    }
    return (int) value;
  }

  private static void writeLongs(long[] values, Encoder out) {
    out.writeUnsigned(values.length);
    for (long value : values) {
      out.writeLong(value);
    }
  }

  private static long[] readLongs(Decoder in) {
    long[] values = new long[in.readLength()];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readLong();
    }
    return values;
  }

  private static void writeDoubles(double[] values, Encoder out) {
    out.writeUnsigned(values.length);
    for (double value : values) {
      out.writeDouble(value);
    }
  }

  private static double[] readDoubles(Decoder in) {
    double[] values = new double[in.readCount(Double.BYTES)];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readDouble();
    }
    return values;
  }

  private static void writeFloats(float[] values, Encoder out) {
    out.writeUnsigned(values.length);
    for (float value : values) {
      out.writeFloat(value);
    }
  }

  private static float[] readFloats(Decoder in) {
    float[] values = new float[in.readCount(Float.BYTES)];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readFloat();
    }
    return values;
  }

  /**
   * The codec of enums. It writes the {@link Name} of a constant, so that constants may be added
   * and moved.
   */
  static final class EnumCodec<T> implements Codec<T> {
    private final Class<T> type;
    private final Map<String, T> byName = new LinkedHashMap<>();
    private final Map<T, String> names = new LinkedHashMap<>();

    EnumCodec(Class<T> type) {
      this.type = type;
      for (T constant : type.getEnumConstants()) {
        String name = Names.of((Enum<?>) constant);
        names.put(constant, name);
        if (byName.put(name, constant) != null) {
          throw new IllegalArgumentException(type.getName() + " has two constants named " + name);
        }
      }
    }

    @Override
    public void write(T value, Encoder out) {
      out.writeString(names.get(value));
    }

    @Override
    public T read(Decoder in) {
      String name = in.readString();
      T constant = byName.get(name);
      if (constant == null) {
        throw Decoder.corrupt(type.getSimpleName() + " has no " + name);
      }
      return constant;
    }
  }
}
