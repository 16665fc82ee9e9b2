package io.uniserve.testkit.forms;

import io.uniserve.api.partition.PartitionKey;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Reproducible sample values of records: a text is its component's name, numbers count up, and each
 * container has an element. Records whose constructors refuse such values are supplied by hand.
 */
public final class SampleValues {
  private final Map<Class<?>, Object> given = new LinkedHashMap<>();
  private final Deque<Class<?>> within = new ArrayDeque<>();

  /** Uses this value wherever its class is asked for. */
  public SampleValues with(Object value) {
    given.put(value.getClass(), value);
    return this;
  }

  /**
   * Makes a value of a record or of a member of a sealed interface.
   *
   * @throws IllegalArgumentException if its constructor refuses the values of its components
   */
  public Object of(Class<?> type) {
    within.clear();
    return value(type, type.getSimpleName(), 0);
  }

  private Object value(Type type, String name, int number) {
    return switch (type) {
      case Class<?> plain -> plain(plain, name, number);
      case ParameterizedType generic -> generic(generic, name, number);
      case WildcardType wildcard -> value(wildcard.getUpperBounds()[0], name, number);
      case TypeVariable<?> variable -> value(variable.getBounds()[0], name, number);
      default -> throw new IllegalArgumentException(name + ": no sample of " + type.getTypeName());
    };
  }

  private Object generic(ParameterizedType generic, String name, int number) {
    Class<?> raw = (Class<?>) generic.getRawType();
    Type first = generic.getActualTypeArguments()[0];
    boolean empty = Arrays.stream(generic.getActualTypeArguments()).anyMatch(this::isEndless);
    if (raw == Optional.class) {
      return empty ? Optional.empty() : Optional.of(value(first, name, number));
    }
    if (raw == List.class) {
      return empty ? List.of() : List.of(value(first, name, number));
    }
    if (raw == SortedSet.class) {
      return empty ? new TreeSet<>() : new TreeSet<>(List.of(value(first, name, number)));
    }
    if (raw == Map.class) {
      return empty
          ? Map.of()
          : Map.of(
              value(first, name, number),
              value(generic.getActualTypeArguments()[1], name, number + 1));
    }
    return value(raw, name, number);
  }

  /** Returns whether a value of a type would contain itself. */
  private boolean isEndless(Type type) {
    return switch (type) {
      case Class<?> plain ->
          !given.containsKey(plain)
              && (within.contains(plain)
                  || plain.isInterface() && plain.isSealed() && member(plain).isEmpty());
      case ParameterizedType generic ->
          generic.getRawType() instanceof Class<?> raw && within.contains(raw);
      default -> false;
    };
  }

  private Object plain(Class<?> type, String name, int number) {
    if (given.containsKey(type)) {
      return given.get(type);
    }
    if (type.isRecord()) {
      return record(type);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type.isInterface() && type.isSealed()) {
      return plain(
          member(type)
              .orElseThrow(() -> new IllegalArgumentException(name + ": " + type + " has no end")),
          name,
          number);
    }
    return scalar(type, name, number);
  }

  /** Returns the first member that is not being made. */
  private Optional<Class<?>> member(Class<?> parent) {
    for (Class<?> child : parent.getPermittedSubclasses()) {
      Optional<Class<?>> found =
          child.isSealed() && !child.isEnum()
              ? member(child)
              : Optional.<Class<?>>of(child).filter(leaf -> !within.contains(leaf));
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Object record(Class<?> type) {
    within.push(type);
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    Class<?>[] types = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = value(components[i].getGenericType(), components[i].getName(), i + 1);
    }
    within.pop();
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(
          type.getName() + " needs a sample: it refuses " + Arrays.toString(values), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(type.getName() + " cannot be made", e);
    }
  }

  private static Object scalar(Class<?> type, String name, int number) {
    return switch (type.getName()) {
      case "boolean", "java.lang.Boolean" -> true;
      case "byte", "java.lang.Byte" -> (byte) number;
      case "int", "java.lang.Integer" -> number;
      case "long", "java.lang.Long" -> (long) number;
      case "float", "java.lang.Float" -> (float) number;
      case "double", "java.lang.Double" -> (double) number;
      case "java.lang.String" -> name;
      case "java.lang.Object" -> List.of(name, (long) number);
      case "java.time.Duration" -> Duration.ofSeconds(number);
      case "java.nio.ByteBuffer" -> ByteBuffer.wrap(new byte[] {(byte) number});
      case "io.uniserve.api.partition.PartitionKey" -> PartitionKey.of((long) number);
      case "[B" -> new byte[] {(byte) number};
      case "[J" -> new long[] {number};
      case "[F" -> new float[] {number};
      case "[D" -> new double[] {number};
      default -> throw new IllegalArgumentException(name + ": no sample of a " + type.getName());
    };
  }
}
