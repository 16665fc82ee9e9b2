package io.uniserve.api.codec;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/** The search for the codecs of component types. Each is found once. */
final class TypeResolver {
  private final Map<Class<?>, Codec<?>> known = new LinkedHashMap<>();
  private final Set<Class<?>> given;

  TypeResolver(Map<Class<?>, Codec<?>> custom) {
    ScalarCodecs.addTo(known);
    known.putAll(custom);
    given = new LinkedHashSet<>(known.keySet());
  }

  /** Returns the types whose codecs were found rather than given, in the order of discovery. */
  Set<Class<?>> reached() {
    Set<Class<?>> reached = new LinkedHashSet<>(known.keySet());
    reached.removeAll(given);
    return Collections.unmodifiableSet(reached);
  }

  Codec<?> codecOf(Type type, String where) {
    return switch (type) {
      case Class<?> plain -> codecOf(plain, where);
      case ParameterizedType generic -> codecOf(generic, where);
      case WildcardType wildcard -> codecOf(wildcard.getUpperBounds()[0], where);
      case TypeVariable<?> variable -> codecOf(variable.getBounds()[0], where);
      default -> throw unknown(type, where);
    };
  }

  private Codec<?> codecOf(ParameterizedType generic, String where) {
    Class<?> raw = (Class<?>) generic.getRawType();
    Type[] arguments = generic.getActualTypeArguments();
    if (raw == List.class) {
      return new CollectionCodecs.ListCodec<>(codecOf(arguments[0], where));
    }
    if (raw == SortedSet.class) {
      requireComparable(arguments[0], where);
      return new CollectionCodecs.SortedSetCodec<>(codecOf(arguments[0], where));
    }
    if (raw == Optional.class) {
      return new CollectionCodecs.OptionalCodec<>(codecOf(arguments[0], where));
    }
    if (raw == Map.class) {
      return new CollectionCodecs.MapCodec<>(
          codecOf(arguments[0], where), codecOf(arguments[1], where));
    }
    return codecOf(raw, where);
  }

  Codec<?> codecOf(Class<?> type, String where) {
    Codec<?> codec = known.get(type);
    if (codec != null) {
      return codec;
    }
    if (type.isRecord()) {
      return recordCodec(type);
    }
    if (type.isEnum()) {
      return remember(type, new ScalarCodecs.EnumCodec<>(type));
    }
    if (type.isSealed()) {
      SealedCodec sealed = new SealedCodec(type);
      known.put(type, sealed);
      sealed.resolve(this, where);
      return sealed;
    }
    throw unknown(type, where);
  }

  private <T> Codec<T> recordCodec(Class<T> type) {
    RecordCodec<T> codec = new RecordCodec<>(type);
    known.put(type, codec);
    codec.resolve(this);
    return codec;
  }

  private <T> Codec<T> remember(Class<?> type, Codec<T> codec) {
    known.put(type, codec);
    return codec;
  }

  private static void requireComparable(Type element, String where) {
    if (!(element instanceof Class<?> type && Comparable.class.isAssignableFrom(type))) {
      throw new IllegalArgumentException(
          where + ": a sorted set of " + element.getTypeName() + ", which has no order");
    }
  }

  private static IllegalArgumentException unknown(Type type, String where) {
    return new IllegalArgumentException(where + ": no codec for " + type.getTypeName());
  }
}
