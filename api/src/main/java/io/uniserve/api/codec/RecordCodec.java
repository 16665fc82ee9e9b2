package io.uniserve.api.codec;

import io.uniserve.api.error.UniserveException;
import java.lang.reflect.RecordComponent;

/**
 * The binary form of a Java record: its components, one after another, in the order of their
 * declaration.
 *
 * <p>A component may be a primitive, {@link String}, {@code byte[]}, {@code long[]}, {@code
 * double[]}, {@code float[]}, {@link java.nio.ByteBuffer}, {@link java.time.Duration}, {@link
 * io.uniserve.api.partition.PartitionKey}, an enum, a record, a sealed interface whose leaves are
 * records or enums, {@link java.util.Optional}, {@link java.util.List}, {@link java.util.SortedSet}
 * or {@link java.util.Map} of such types, or {@link Object}, which then holds a document. Only a
 * document may be null. Decoding calls the record's canonical constructor, so its checks apply to
 * bytes from the network, too.
 *
 * @param <T> the record
 */
final class RecordCodec<T> implements Codec<T> {
  private final Class<T> type;
  private Codec<Object>[] codecs;
  private int[] since;
  private Object[] absent;
  private volatile RecordParts parts;

  RecordCodec(Class<T> type) {
    this.type = type;
  }

  /**
   * Finds the codecs of the components. It is separate from the constructor so that records may
   * contain themselves.
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  void resolve(TypeResolver resolver) {
    RecordComponent[] components = type.getRecordComponents();
    codecs = new Codec[components.length];
    since = new int[components.length];
    absent = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      codecs[i] =
          (Codec<Object>) resolver.codecOf(components[i].getGenericType(), where(components[i]));
      Since added = components[i].getAnnotation(Since.class);
      if (added != null) {
        since[i] = added.value();
        absent[i] = Absent.valueOf(components[i], where(components[i]));
      }
    }
  }

  @Override
  public void write(T value, Encoder out) {
    out.enter();
    Object[] components = parts().components(value);
    for (int i = 0; i < codecs.length; i++) {
      if (components[i] == null && codecs[i] != DocumentCodec.INSTANCE) {
        throw UniserveException.invalid(where(type.getRecordComponents()[i]) + " is null");
      }
      codecs[i].write(components[i], out);
    }
    out.leave();
  }

  @Override
  public T read(Decoder in) {
    in.enter();
    Object[] components = new Object[codecs.length];
    for (int i = 0; i < codecs.length; i++) {
      components[i] = in.has(since[i]) ? codecs[i].read(in) : absent[i];
    }
    in.leave();
    return create(components);
  }

  @SuppressWarnings("unchecked")
  private T create(Object[] components) {
    RecordParts made = parts();
    try {
      return (T) made.create(components);
    } catch (RuntimeException e) {
      throw Decoder.corrupt(type.getSimpleName() + " refuses its components: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the access to the components. It is made for the first value, since a process uses few
   * of the types that it knows.
   */
  private RecordParts parts() {
    RecordParts known = parts;
    if (known == null) {
      known = RecordPartsMaker.of(type.asSubclass(Record.class));
      parts = known;
    }
    return known;
  }

  private String where(RecordComponent component) {
    return type.getSimpleName() + "." + component.getName();
  }
}
