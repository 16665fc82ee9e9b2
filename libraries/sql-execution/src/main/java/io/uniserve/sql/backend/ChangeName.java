package io.uniserve.sql.backend;

import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a statement that changes rows where they are, under which an actor remembers for a
 * while that it has carried it out. It has the time at which it was sent.
 */
public final class ChangeName {
  /** Names of earlier versions begin with what the statement changed, and may end with a key. */
  private static final Pattern NAME = Pattern.compile("(?:rows|copies)-(\\d{1,18})-.*");

  private ChangeName() {}

  /** Makes a unique name. */
  public static String next() {
    return "rows-%d-%s".formatted(System.currentTimeMillis(), UUID.randomUUID());
  }

  /**
   * Returns the time at which a statement was sent, in milliseconds since 1970; empty for a name
   * that was not made here.
   */
  static OptionalLong sinceMillis(String name) {
    Matcher said = NAME.matcher(name);
    return said.matches() ? OptionalLong.of(Long.parseLong(said.group(1))) : OptionalLong.empty();
  }
}
