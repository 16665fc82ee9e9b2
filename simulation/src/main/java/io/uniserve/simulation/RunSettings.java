package io.uniserve.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings of a run besides its faults: topology, table and workload, by name.
 *
 * @param values the value of each name, without spaces
 */
public record RunSettings(SortedMap<String, String> values) {
  /** Settings without any value. */
  public static final RunSettings NONE = new RunSettings(new TreeMap<>());

  /** Copies the values. */
  public RunSettings {
    values = new TreeMap<>(values);
  }

  /** Returns the same settings with one more value, or another value of one. */
  public RunSettings with(String name, Object value) {
    RunSettings more = new RunSettings(values);
    more.values.put(name, value.toString());
    return more;
  }

  /** Returns the same settings with a list, which is not empty. */
  public RunSettings with(String name, List<?> list) {
    return with(name, String.join(",", list.stream().map(Object::toString).toList()));
  }

  /**
   * Returns a word.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  public String word(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the run has no '" + name + "'");
    }
    return value;
  }

  /**
   * Returns a number, from 0.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  public int number(String name) {
    int number = Integer.parseInt(word(name));
    if (number < 0) {
      throw new IllegalArgumentException("'" + name + "' is " + number);
    }
    return number;
  }

  /**
   * Returns one of an enumeration's constants.
   *
   * @throws IllegalArgumentException if it is none of them
   */
  public <E extends Enum<E>> E one(String name, Class<E> type) {
    return Enum.valueOf(type, word(name));
  }

  /**
   * Returns some of an enumeration's constants.
   *
   * @throws IllegalArgumentException if any is none of them
   */
  public <E extends Enum<E>> List<E> some(String name, Class<E> type) {
    return Arrays.stream(word(name).split(",")).map(word -> Enum.valueOf(type, word)).toList();
  }
}
