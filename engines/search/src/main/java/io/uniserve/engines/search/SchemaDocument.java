package io.uniserve.engines.search;

import io.uniserve.api.UniserveException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A map of a schema document, read setting by setting; what nobody reads is refused. */
final class SchemaDocument {
  private final String where;
  private final Map<String, Object> unread = new LinkedHashMap<>();

  SchemaDocument(String where, Object document) {
    this.where = where;
    if (!(document instanceof Map<?, ?> map)) {
      throw UniserveException.invalid(where + ": a map of settings, not " + document);
    }
    map.forEach((key, value) -> unread.put(String.valueOf(key), value));
  }

  /** The setting of this name, of this class. */
  <T> T read(String name, Class<T> type, T otherwise) {
    Object value = unread.remove(name);
    if (value == null) {
      return otherwise;
    }
    if (!type.isInstance(value)) {
      throw refused(name, value, "a " + type.getSimpleName().toLowerCase(Locale.ROOT));
    }
    return type.cast(value);
  }

  long readNumber(String name, long otherwise, long least, long most) {
    long value = read(name, Number.class, otherwise).longValue();
    if (value < least || value > most) {
      throw refused(name, value, least + " to " + most);
    }
    return value;
  }

  /** The constant whose name, in lower case, the setting gives. */
  <E extends Enum<E>> E readEnum(String name, E[] choices, E otherwise) {
    String value = read(name, String.class, otherwise == null ? "" : lower(otherwise));
    for (E choice : choices) {
      if (lower(choice).equals(value)) {
        return choice;
      }
    }
    String known = String.join(", ", Arrays.stream(choices).map(SchemaDocument::lower).toList());
    throw refused(name, value, "one of " + known);
  }

  List<String> readNames(String name) {
    List<?> names = read(name, List.class, List.of());
    return names.stream().map(String::valueOf).toList();
  }

  void requireAllRead() {
    if (!unread.isEmpty()) {
      throw UniserveException.invalid(
          where + ": unknown setting '" + unread.keySet().iterator().next() + "'");
    }
  }

  private UniserveException refused(String name, Object value, String wanted) {
    return UniserveException.invalid(
        where + ": '" + name + "' is " + value + ", must be " + wanted);
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
