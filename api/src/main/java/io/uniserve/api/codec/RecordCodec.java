package io.uniserve.api.codec;

import io.uniserve.api.UniserveException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/**
 * The binary form of a Java record: its components, one after another, in the order of their
 * declaration.
 *
 * <p>A component may be a primitive, {@link String}, {@code byte[]}, {@code long[]}, {@code
 * double[]}, {@code float[]}, {@link java.nio.ByteBuffer}, {@link java.time.Duration}, {@link
 * io.uniserve.api.PartitionKey}, an enum, a record, a sealed interface whose leaves are records or
 * enums, {@link java.util.Optional}, {@link java.util.List}, {@link java.util.SortedSet} or {@link
 * java.util.Map} of such types, or {@link Object}, which then holds a document. No component but
 * the last kind may be null. Decoding calls the record's canonical constructor, whose checks
 * therefore hold for what the network sends, too.
 *
 * @param <T> the record
 */
final class RecordCodec<T> implements Codec<T> {
  private final Class<T> type;
  private MethodHandle constructor;
  private MethodHandle[] accessors;
  private Codec<Object>[] codecs;

  RecordCodec(Class<T> type) {
    this.type = type;
  }

  /** Separate from the constructor so that records may contain themselves. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  void resolve(TypeResolver resolver) {
    RecordComponent[] components = type.getRecordComponents();
    accessors = new MethodHandle[components.length];
    codecs = new Codec[components.length];
    try {
      MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new);
      constructor =
          lookup
              .findConstructor(type, MethodType.methodType(void.class, types))
              .asSpreader(Object[].class, types.length)
              .asType(MethodType.methodType(Object.class, Object[].class));
      for (int i = 0; i < components.length; i++) {
        accessors[i] =
            lookup
                .unreflect(components[i].getAccessor())
                .asType(MethodType.methodType(Object.class, Object.class));
        codecs[i] =
            (Codec<Object>) resolver.codecOf(components[i].getGenericType(), where(components[i]));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(type.getName() + " cannot be reached by its codec", e);
    }
  }

  @Override
  public void write(T value, Encoder out) {
    out.enter();
    for (int i = 0; i < codecs.length; i++) {
      codecs[i].write(component(value, i), out);
    }
    out.leave();
  }

  @Override
  @SuppressWarnings("unchecked")
  public T read(Decoder in) {
    in.enter();
    Object[] values = new Object[codecs.length];
    for (int i = 0; i < codecs.length; i++) {
      values[i] = codecs[i].read(in);
    }
    in.leave();
    return (T) construct(values);
  }

  private Object component(T value, int index) {
    try {
      Object component = accessors[index].invokeExact((Object) value);
      if (component == null && codecs[index] != DocumentCodec.INSTANCE) {
        throw UniserveException.invalid(where(type.getRecordComponents()[index]) + " is null");
      }
      return component;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw UniserveException.of(e);
    }
  }

  private Object construct(Object[] values) {
    try {
      return (Object) constructor.invokeExact(values);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw Decoder.corrupt(type.getSimpleName() + " refuses its components: " + e.getMessage(), e);
    }
  }

  private String where(RecordComponent component) {
    return type.getSimpleName() + "." + component.getName();
  }
}
