package io.uniserve.sql.backend;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The contents of a statement's name, under which {@link Change#rewrite} keeps the number of rows
 * that it changed.
 *
 * @param copies true if it changed the same rows in every actor
 * @param sinceMillis the time at which it was sent, in milliseconds since 1970
 */
public record ChangeName(boolean copies, long sinceMillis) {
  private static final String COPIES = "copies";
  private static final String KEYED = "-key-";
  private static final Pattern NAME = Pattern.compile("(rows|" + COPIES + ")-(\\d{1,18})-.*");

  /** Makes a unique name. */
  public static String next(boolean copies) {
    return "%s-%d-%s"
        .formatted(
            copies ? COPIES : "rows", System.currentTimeMillis(), UUID.randomUUID().toString());
  }

  /**
   * Makes the name of a change with an idempotency key. It is the same each time, except for the
   * time.
   *
   * @param key the key, with any characters
   */
  public static String keyed(boolean copies, String key) {
    return "%s-%d%s%s"
        .formatted(
            copies ? COPIES : "rows",
            System.currentTimeMillis(),
            KEYED,
            UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Returns the common end of all names of {@link #keyed} with the same key; empty for other names.
   */
  static Optional<String> keyOf(String name) {
    int at = name.indexOf(KEYED);
    return at < 0 ? Optional.empty() : Optional.of(name.substring(at));
  }

  /** Returns the contents of a name; empty for one that was not made here. */
  static Optional<ChangeName> of(String name) {
    Matcher said = NAME.matcher(name);
    return said.matches()
        ? Optional.of(new ChangeName(said.group(1).equals(COPIES), Long.parseLong(said.group(2))))
        : Optional.empty();
  }
}
