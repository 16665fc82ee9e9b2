package io.uniserve.sql.backend;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the name of a statement says, under which {@link Change#rewrite} keeps how many rows it
 * changed.
 *
 * @param copies whether it changed the same rows in every actor
 * @param sinceMillis when it was sent, in milliseconds since 1970
 */
public record ChangeName(boolean copies, long sinceMillis) {
  private static final String COPIES = "copies";
  private static final String KEYED = "-key-";
  private static final Pattern NAME = Pattern.compile("(rows|" + COPIES + ")-(\\d{1,18})-.*");

  /** A name that no other change has. */
  public static String next(boolean copies) {
    return "%s-%d-%s"
        .formatted(
            copies ? COPIES : "rows", System.currentTimeMillis(), UUID.randomUUID().toString());
  }

  /**
   * A name that this change has whenever it is sent with its idempotency key, but for the time.
   *
   * @param key of any characters
   */
  public static String keyed(boolean copies, String key) {
    return "%s-%d%s%s"
        .formatted(
            copies ? COPIES : "rows",
            System.currentTimeMillis(),
            KEYED,
            UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)));
  }

  /** Gives what all names of {@link #keyed} with a key end in; nothing of other names. */
  static Optional<String> keyOf(String name) {
    int at = name.indexOf(KEYED);
    return at < 0 ? Optional.empty() : Optional.of(name.substring(at));
  }

  /** What a name says; nothing of one that is none of {@link #next}. */
  static Optional<ChangeName> of(String name) {
    Matcher said = NAME.matcher(name);
    return said.matches()
        ? Optional.of(new ChangeName(said.group(1).equals(COPIES), Long.parseLong(said.group(2))))
        : Optional.empty();
  }
}
