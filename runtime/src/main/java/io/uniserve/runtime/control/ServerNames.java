package io.uniserve.runtime.control;

import java.util.Comparator;
import java.util.OptionalInt;

/**
 * The names of the servers that a cluster starts and ends itself: a prefix and a number. Every
 * server of such a name is one of them.
 *
 * @param prefix what all have in common
 * @param first the lowest number
 */
public record ServerNames(String prefix, int first) {
  private static final int DIGITS_MAX = 6;

  /** The name of this number. */
  public String name(int number) {
    return prefix + number;
  }

  /** The number in a name; empty if it is none of these. */
  public OptionalInt number(String name) {
    String digits = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
    return isWritten(digits) && Integer.parseInt(digits) >= first
        ? OptionalInt.of(Integer.parseInt(digits))
        : OptionalInt.empty();
  }

  /** As a number is written: without zeroes before it, and no longer than names can be. */
  private static boolean isWritten(String digits) {
    return !digits.isEmpty()
        && digits.length() <= DIGITS_MAX
        && digits.chars().allMatch(digit -> digit >= '0' && digit <= '9')
        && (digits.charAt(0) != '0' || digits.length() == 1);
  }

  /** Whether this is one of the names. */
  public boolean matches(String name) {
    return number(name).isPresent();
  }

  /** By number. */
  public Comparator<String> order() {
    return Comparator.comparingInt(name -> number(name).orElse(Integer.MAX_VALUE));
  }
}
