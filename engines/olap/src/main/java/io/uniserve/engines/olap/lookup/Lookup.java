package io.uniserve.engines.olap.lookup;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A lookup: values by keys, under a name that queries use.
 *
 * @param name letters, digits, {@code _}, {@code .} and {@code -}
 * @param version a text; a later one replaces an earlier one
 * @param oneToOne true if no two keys have the same value
 */
@Name("Lookup")
public record Lookup(String name, String version, boolean oneToOne, Map<String, String> values) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,63}");

  /** Checks the name and copies the values. */
  public Lookup {
    if (!NAME.matcher(name).matches()) {
      throw UniserveException.invalid(
          "'"
              + Excerpt.of(name)
              + "' is no name of a lookup: one has at most 63 letters, digits, _, . and -");
    }
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }
}
