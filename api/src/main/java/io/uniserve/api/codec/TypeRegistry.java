package io.uniserve.api.codec;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The closed set of record types that may be decoded in one context, each under its {@link Name}. A
 * value is written as its type's name and its components. Bytes that name any other type are
 * refused before an object is made.
 */
public final class TypeRegistry {
  /** The name under which documents are written; no type has it. */
  private static final String DOCUMENT = "";

  private final Map<String, Codec<Object>> byName = new LinkedHashMap<>();
  private final Map<Class<?>, String> names = new LinkedHashMap<>();
  private final Set<Class<?>> reached;

  /**
   * Makes a registry.
   *
   * @param types records, and sealed interfaces, which stand for all their leaves
   * @param custom codecs for further component types
   * @throws IllegalArgumentException if a component has a type without a codec, or two types share
   *     a simple name
   */
  public TypeRegistry(Collection<? extends Class<?>> types, Map<Class<?>, Codec<?>> custom) {
    TypeResolver resolver = new TypeResolver(custom);
    types.forEach(type -> add(type, resolver));
    reached = resolver.reached();
  }

  /** Makes a registry without further codecs. */
  public static TypeRegistry of(Collection<? extends Class<?>> types) {
    return new TypeRegistry(types, Map.of());
  }

  @SuppressWarnings("unchecked")
  private void add(Class<?> type, TypeResolver resolver) {
    if (type.isSealed() && !type.isEnum()) {
      for (Class<?> leaf : type.getPermittedSubclasses()) {
        add(leaf, resolver);
      }
    } else if (names.putIfAbsent(type, Names.of(type)) == null) {
      Codec<Object> codec = (Codec<Object>) resolver.codecOf(type, type.getSimpleName());
      if (byName.put(Names.of(type), codec) != null) {
        throw new IllegalArgumentException("two types are named " + Names.of(type));
      }
    }
  }

  /** Returns whether values of this class can be written. */
  public boolean knows(Class<?> type) {
    return names.containsKey(type);
  }

  /** Returns whether a type is written under this name. */
  boolean isName(String name) {
    return byName.containsKey(name);
  }

  /** Returns all records, enums and sealed interfaces that its values may be or hold. */
  public Set<Class<?>> reached() {
    return reached;
  }

  /**
   * Returns all types, members of sealed interfaces and constants of enums that have no {@link
   * Name}. Renaming one of them would change the written bytes.
   */
  public SortedSet<String> undeclared() {
    SortedSet<String> undeclared = new TreeSet<>();
    for (Class<?> type : reached) {
      if (type.isEnum()) {
        for (Object constant : type.getEnumConstants()) {
          if (!Names.declares((Enum<?>) constant)) {
            undeclared.add(type.getName() + "." + ((Enum<?>) constant).name());
          }
        }
      }
      boolean named = names.containsKey(type) || reached.stream().anyMatch(p -> isMember(p, type));
      if (named && !Names.declares(type)) {
        undeclared.add(type.getName());
      }
    }
    return undeclared;
  }

  private static boolean isMember(Class<?> parent, Class<?> type) {
    return parent.isSealed()
        && !parent.isEnum()
        && !type.isSealed()
        && parent.isAssignableFrom(type);
  }

  /** Appends a value of one of the registry's types, with its name, or a document. */
  public void write(Object value, Encoder out) {
    String name = value == null ? null : names.get(classOf(value));
    if (name == null && !(value instanceof Record)) {
      out.writeString(DOCUMENT);
      DocumentCodec.INSTANCE.write(value, out);
      return;
    }
    if (name == null) {
      throw UniserveException.invalid(
          value.getClass().getName() + " is not among the types that may cross the wire");
    }
    out.writeString(name);
    byName.get(name).write(value, out);
  }

  /**
   * Reads a value of any of the registry's types, or a document.
   *
   * @throws UniserveException with {@link ErrorCode#CORRUPT}, for bytes that hold no such value; no
   *     bytes cause any other error
   */
  public Object read(Decoder in) {
    String name = in.readString();
    Codec<Object> codec = name.equals(DOCUMENT) ? DocumentCodec.INSTANCE : byName.get(name);
    if (codec == null) {
      throw Decoder.corrupt("the type '" + name + "' is not among those that may cross the wire");
    }
    try {
      return codec.read(in);
    } catch (UniserveException e) {
      throw e.code() == ErrorCode.CORRUPT ? e : Decoder.corrupt(e.getMessage(), e);
    } catch (RuntimeException e) {
      throw Decoder.corrupt(name + " cannot be made: " + UniserveException.reason(e), e);
    }
  }

  /** Returns the declared class of a value. A constant of an enum may have a class of its own. */
  static Class<?> classOf(Object value) {
    return value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
  }

  /** Encodes a value. */
  public byte[] encode(Object value) {
    Encoder out = new Encoder();
    write(value, out);
    return out.toByteArray();
  }

  /**
   * Decodes one value of an expected type from all of these bytes.
   *
   * @throws UniserveException with {@link ErrorCode#CORRUPT} also for a value of another type
   */
  public <T> T decode(ByteBuffer bytes, Class<T> expected) {
    return readAll(new Decoder(bytes), expected);
  }

  <T> T readAll(Decoder in, Class<T> expected) {
    Object value = readAll(in);
    if (!expected.isInstance(value)) {
      String found = value == null ? "null" : value.getClass().getSimpleName();
      throw Decoder.corrupt("expected " + expected.getSimpleName() + ", found " + found);
    }
    return expected.cast(value);
  }

  /** Decodes one value from all of these bytes. */
  public Object decode(ByteBuffer bytes) {
    return readAll(new Decoder(bytes));
  }

  private Object readAll(Decoder in) {
    Object value = read(in);
    in.requireEnd();
    return value;
  }
}
