package io.uniserve.sql.whole;

import java.util.Locale;
import java.util.Optional;

/**
 * The queries that {@code WITH} names around a place, the nearest first.
 *
 * @param name the name, in lower case
 * @param outer the names around it
 */
record Scope(String name, Optional<Scope> outer) {
  /** The scope without names. */
  static final Optional<Scope> EMPTY = Optional.empty();

  static Optional<Scope> with(Optional<Scope> outer, String name) {
    return Optional.of(new Scope(name.toLowerCase(Locale.ROOT), outer));
  }

  static boolean has(Optional<Scope> scope, String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    Optional<Scope> at = scope;
    while (at.isPresent()) {
      if (at.get().name.equals(wanted)) {
        return true;
      }
      at = at.get().outer;
    }
    return false;
  }
}
