package io.uniserve.runtime.control.scaling;

import java.util.Comparator;
import java.util.OptionalInt;

/**
 * The names of the servers that a cluster starts and ends itself: a prefix and a number. Every
 * server with such a name is one of them.
 *
 * @param prefix the common part of the names
 * @param first the lowest number
 */
public record ServerNames(String prefix, int first) {
  private static final int DIGITS_MAX = 6;

  /** Returns the name of this number. */
  public String name(int number) {
    return prefix + number;
  }

  /** Returns the number in a name; empty if it is none of these names. */
  public OptionalInt number(String name) {
    String digits = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
    return isWritten(digits) && Integer.parseInt(digits) >= first
        ? OptionalInt.of(Integer.parseInt(digits))
        : OptionalInt.empty();
  }

  /**
   * Returns whether digits are written as a number is: without leading zeroes, and not too long.
   */
  private static boolean isWritten(String digits) {
    return !digits.isEmpty()
        && digits.length() <= DIGITS_MAX
        && digits.chars().allMatch(digit -> digit >= '0' && digit <= '9')
        && (digits.charAt(0) != '0' || digits.length() == 1);
  }

  /** Returns whether this is one of the names. */
  public boolean matches(String name) {
    return number(name).isPresent();
  }

  /** Returns the order by number. */
  public Comparator<String> order() {
    return Comparator.comparingInt(name -> number(name).orElse(Integer.MAX_VALUE));
  }
}
