package io.uniserve.textindex.schema;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A map of a schema document from which settings are taken one by one. Settings that are left are
 * refused.
 */
public final class Settings {
  private final String where;
  private final Map<String, Object> untaken = new LinkedHashMap<>();

  /**
   * Makes the settings.
   *
   * @param where the owner of the settings, for errors
   * @throws UniserveException if {@code document} is no map
   */
  public Settings(String where, Object document) {
    this.where = where;
    if (!(document instanceof Map<?, ?> map)) {
      throw UniserveException.invalid(
          where + ": must be a map of settings, not " + Excerpt.of(document));
    }
    map.forEach((name, value) -> untaken.put(String.valueOf(name), value));
  }

  /**
   * Takes the setting of a name, with the type of its default. A constant is written by its name in
   * lower case.
   */
  @SuppressWarnings("unchecked")
  public <T> T take(String name, T otherwise) {
    Object value = untaken.remove(name);
    if (value == null) {
      return otherwise;
    }
    try {
      Object taken =
          switch (otherwise) {
            case Enum<?> constant ->
                Enum.valueOf(
                    constant.getDeclaringClass(), value.toString().toUpperCase(Locale.ROOT));
            case Long number -> Long.parseLong(value.toString());
            case List<?> list -> names(value);
            case Map<?, ?> map -> (Map<?, ?>) value;
            default -> otherwise.getClass().cast(value);
          };
      return (T) taken;
    } catch (IllegalArgumentException | ClassCastException e) {
      throw refused(
          "'" + name + "' must be " + wanted(otherwise) + ", not '" + Excerpt.of(value) + "'");
    }
  }

  private static String wanted(Object otherwise) {
    return switch (otherwise) {
      case Enum<?> constant ->
          Stream.of(constant.getDeclaringClass().getEnumConstants())
              .map(each -> ((Enum<?>) each).name().toLowerCase(Locale.ROOT))
              .collect(Collectors.joining(", ", "one of ", ""));
      case Long number -> "a whole number of 64 bits";
      case Boolean flag -> "true or false";
      case Map<?, ?> map -> "a map";
      default -> "text";
    };
  }

  /** Reads a list of names, or a text with commas between them. */
  private static List<String> names(Object value) {
    return value instanceof List<?> list
        ? list.stream().map(String::valueOf).toList()
        : value.toString().isBlank()
            ? List.of()
            : Arrays.asList(value.toString().strip().split("\\s*,\\s*"));
  }

  /** Refuses settings that are left. */
  public void requireAllTaken() {
    if (!untaken.isEmpty()) {
      throw refused("unknown setting '" + Excerpt.of(untaken.keySet().iterator().next()) + "'");
    }
  }

  UniserveException refused(String why) {
    return UniserveException.invalid(where + ": " + why);
  }
}
