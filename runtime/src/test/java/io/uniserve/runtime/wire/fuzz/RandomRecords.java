package io.uniserve.runtime.wire.fuzz;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.runtime.wire.entry.Payload;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;

/** Random values of the types that have a wire form. */
final class RandomRecords {
  private static final int ATTEMPTS = 50;

  private final Random random;

  /** The classes of the values that are being made, one inside another. */
  private final Deque<Class<?>> around = new ArrayDeque<>();

  /**
   * @param random the source of the values
   */
  RandomRecords(Random random) {
    this.random = random;
  }

  /** Returns a value of a record, or of a record or enum below a sealed interface. */
  Object of(Type type) {
    return switch (type) {
      case ParameterizedType generic -> ofGeneric(generic);
      case Class<?> plain -> ofClass(plain);
      default -> throw new AssertionError("no value of " + type);
    };
  }

  private Object ofGeneric(ParameterizedType type) {
    Type[] parts = type.getActualTypeArguments();
    int size = random.nextInt(4);
    return switch (((Class<?>) type.getRawType()).getSimpleName()) {
      case "Optional" -> random.nextBoolean() ? Optional.empty() : Optional.of(of(parts[0]));
      case "List" -> listOf(parts[0], size);
      case "SortedSet", "NavigableSet" -> new TreeSet<>(listOf(parts[0], size));
      case "Map", "SortedMap", "NavigableMap" -> {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
          map.put(of(parts[0]), of(parts[1]));
        }
        yield map;
      }
      default -> throw new AssertionError("no value of " + type);
    };
  }

  private List<Object> listOf(Type type, int size) {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      list.add(of(type));
    }
    return list;
  }

  private Object ofClass(Class<?> type) {
    if (type.isEnum()) {
      return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
    }
    if (type.isInterface() && type.isSealed()) {
      // No type occurs inside itself: one that is refused, and tried again, would never end.
      List<Class<?>> permitted =
          Arrays.stream(type.getPermittedSubclasses())
              .filter(each -> !around.contains(each))
              .toList();
      return of(permitted.get(random.nextInt(permitted.size())));
    }
    if (!type.isRecord()) {
      return ofScalar(type);
    }
    around.push(type);
    try {
      return ofRecord(type);
    } finally {
      around.pop();
    }
  }

  private Object ofScalar(Class<?> type) {
    return switch (type.getSimpleName()) {
      case "boolean", "Boolean" -> random.nextBoolean();
      case "byte", "Byte" -> (byte) random.nextInt();
      case "int", "Integer" -> number();
      case "long", "Long" -> (long) number();
      case "float", "Float" -> random.nextFloat();
      case "double", "Double" -> random.nextDouble();
      case "String" -> text();
      case "byte[]" -> bytes();
      case "ByteBuffer" -> ByteBuffer.wrap(bytes());
      case "Duration" -> Duration.ofMillis(number());
      case "PartitionKey" -> PartitionKey.of(bytes());
      case "Payload" -> Payload.ofBytes("tally", ByteBuffer.wrap(bytes()));
      case "Object" -> random.nextBoolean() ? Map.of(text(), List.of(1L, "x")) : text();
      default -> throw new AssertionError("no value of " + type);
    };
  }

  /** Returns a number that is mostly small and positive, since constructors check. */
  private int number() {
    return random.nextInt(10) == 0 ? random.nextInt() : random.nextInt(5) + 1;
  }

  private String text() {
    return "t" + Integer.toString(random.nextInt(1 << random.nextInt(20)), 36);
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(20) + 1];
    random.nextBytes(bytes);
    return bytes;
  }

  private Object ofRecord(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Throwable refusal = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Object[] values = Arrays.stream(components).map(each -> of(each.getGenericType())).toArray();
      try {
        Constructor<?> constructor =
            type.getDeclaredConstructor(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        constructor.setAccessible(true);
        return constructor.newInstance(values);
      } catch (InvocationTargetException e) {
        refusal = e.getCause(); // the constructor refuses these values
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
    throw UniserveException.invalid(type + " refuses all values: " + refusal);
  }
}
