package io.uniserve.api.codec;

import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The empty values that stand for components which bytes of an older version lack; see {@link
 * Since}.
 */
final class Absent {
  private Absent() {}

  private static final Map<Class<?>, Object> VALUES = new LinkedHashMap<>();

  static {
    VALUES.put(boolean.class, false);
    VALUES.put(byte.class, (byte) 0);
    VALUES.put(int.class, 0);
    VALUES.put(long.class, 0L);
    VALUES.put(float.class, 0f);
    VALUES.put(double.class, 0d);
    VALUES.put(String.class, "");
    VALUES.put(Duration.class, Duration.ZERO);
    VALUES.put(byte[].class, new byte[0]);
    VALUES.put(long[].class, new long[0]);
    VALUES.put(float[].class, new float[0]);
    VALUES.put(double[].class, new double[0]);
    VALUES.put(ByteBuffer.class, ByteBuffer.allocate(0));
    VALUES.put(Optional.class, Optional.empty());
    VALUES.put(List.class, List.of());
    VALUES.put(Map.class, Map.of());
    VALUES.put(SortedSet.class, Collections.emptySortedSet());
  }

  /**
   * Returns the empty value for a component of this type; null for a document.
   *
   * @throws IllegalArgumentException if the type has no empty value
   */
  static Object valueOf(RecordComponent component, String where) {
    Class<?> type = component.getType();
    if (type != Object.class && !VALUES.containsKey(type)) {
      throw new IllegalArgumentException(
          where
              + " cannot be added to a record later: a "
              + type.getSimpleName()
              + " has no empty value; an Optional of it can be added");
    }
    return VALUES.get(type);
  }
}
