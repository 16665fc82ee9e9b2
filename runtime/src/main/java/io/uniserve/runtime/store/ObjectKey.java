package io.uniserve.runtime.store;

import io.uniserve.api.error.UniserveException;
import java.util.regex.Pattern;

/**
 * The rule for names of objects, chosen so that they mean the same to every kind of store: parts of
 * letters, digits, {@code _}, {@code -} and {@code .}, not beginning with {@code .}, separated by
 * {@code /}; at most {@value #LENGTH_MAX} characters. No key may be another key followed by {@code
 * /} and more.
 */
public final class ObjectKey {
  /** The longest key. */
  public static final int LENGTH_MAX = 512;

  private static final String PART = "[A-Za-z0-9_-][A-Za-z0-9_.-]{0,254}";
  private static final Pattern KEY = Pattern.compile(PART + "(/" + PART + ")*");
  private static final Pattern PREFIX = Pattern.compile("(" + PART + "/)*");

  private ObjectKey() {}

  /** Checks a key and returns it. */
  public static String check(String key) {
    return check(key, KEY, "object key");
  }

  /** Checks the prefix of a listing and returns it. */
  public static String checkPrefix(String prefix) {
    return check(prefix, PREFIX, "object prefix");
  }

  private static String check(String text, Pattern pattern, String what) {
    if (text.length() > LENGTH_MAX || !pattern.matcher(text).matches()) {
      throw UniserveException.invalid(what + " '" + text + "' is not well formed");
    }
    return text;
  }
}
