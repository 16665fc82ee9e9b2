package io.uniserve.node.json;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.text.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON object read member by member, which refuses members that nobody asks for. */
public final class Settings {
  private final String what;
  private final Map<String, Object> members;
  private final List<String> known = new ArrayList<>();

  /**
   * @param what the object, for messages
   * @param document must be an object
   */
  public Settings(String what, Object document) {
    this.what = what;
    this.members = object(what, document);
  }

  /** Returns the members of a document that must be an object. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> object(String what, Object document) {
    if (document instanceof Map<?, ?> map) {
      return (Map<String, Object>) map; // documents have no other keys
    }
    throw UniserveException.invalid(what + ": must be a JSON object");
  }

  /** Returns a string that must be present. */
  public String text(String name) {
    String value = text(name, null);
    if (value == null) {
      throw UniserveException.invalid(what + ": '" + name + "' is missing");
    }
    return value;
  }

  /** Returns a string, or another if it is absent. */
  public String text(String name, String otherwise) {
    return get(name, String.class, otherwise, "a string");
  }

  /** Returns a whole number, or another if it is absent. */
  public int integer(String name, int otherwise) {
    long value = get(name, Long.class, (long) otherwise, "a whole number");
    if (value != (int) value) {
      throw UniserveException.invalid(what + ": '" + name + "' is too large: " + value);
    }
    return (int) value;
  }

  /** Returns a truth value, false if it is absent. */
  public boolean flag(String name) {
    return get(name, Boolean.class, false, "true or false");
  }

  /** Returns a truth value, or another if it is absent. */
  public boolean flag(String name, boolean otherwise) {
    return get(name, Boolean.class, otherwise, "true or false");
  }

  /** Returns an object, empty if it is absent. */
  public Map<String, Object> object(String name) {
    Object value = get(name, Map.class, Map.of(), "an object");
    return new LinkedHashMap<>(object(what, value));
  }

  /** Returns a list, empty if it is absent. */
  public List<?> list(String name) {
    return get(name, List.class, List.of(), "a list");
  }

  /** Refuses the members that were not read. */
  public void finish() {
    for (String name : members.keySet()) {
      if (!known.contains(name)) {
        throw UniserveException.invalid(
            what + ": unknown '" + Excerpt.of(name) + "'" + NearestName.hint(name, known));
      }
    }
  }

  private <T> T get(String name, Class<T> type, T otherwise, String wanted) {
    known.add(name);
    Object value = members.get(name);
    if (value == null) {
      return otherwise;
    }
    if (!type.isInstance(value)) {
      throw UniserveException.invalid(what + ": '" + name + "' must be " + wanted);
    }
    return type.cast(value);
  }
}
