package io.uniserve.runtime.client;

import io.uniserve.api.error.UniserveException;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The versions that a client has seen or written, of tables whose reads see a single version. A
 * query that is given a token, by any client, sees no less. So one client reads what another wrote,
 * and a session that goes from one to the other never goes back in time.
 *
 * @param versions the version of each table, by its identity
 */
public record Token(SortedMap<Long, Long> versions) {
  /** The token of a client that has seen nothing. */
  public static final Token NONE = new Token(Collections.emptySortedMap());

  /** Copies the versions. */
  public Token {
    versions = Collections.unmodifiableSortedMap(new TreeMap<>(versions));
  }

  /** Returns the token of an update's version. */
  public static Token of(UpdateReceipt receipt) {
    TreeMap<Long, Long> versions = new TreeMap<>();
    receipt.positions().keySet().forEach(actor -> versions.put(actor.table(), receipt.version()));
    return new Token(versions);
  }

  /** Returns the version of one table; 0 if none is known. */
  public long versionOf(long table) {
    return versions.getOrDefault(table, 0L);
  }

  /** Returns the identity of the newest table that was seen; 0 if none was. */
  public long newestTable() {
    return versions.isEmpty() ? 0 : versions.lastKey();
  }

  /** Returns the same token for some tables only, the existing ones. */
  public Token of(Set<Long> tables) {
    TreeMap<Long, Long> some = new TreeMap<>(versions);
    some.keySet().retainAll(tables);
    return new Token(some);
  }

  /** Returns both tokens together. */
  public Token and(Token other) {
    TreeMap<Long, Long> both = new TreeMap<>(versions);
    other.versions.forEach((table, version) -> both.merge(table, version, Math::max));
    return new Token(both);
  }

  /** Returns the token as text, to travel with a request: {@code 6:17,9:3}. */
  @Override
  public String toString() {
    return versions.entrySet().stream()
        .map(entry -> entry.getKey() + ":" + entry.getValue())
        .collect(Collectors.joining(","));
  }

  /**
   * Returns the token that {@link #toString} made this text of.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT}
   */
  public static Token parse(String text) {
    TreeMap<Long, Long> versions = new TreeMap<>();
    try {
      for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
        String[] pair = part.split(":", 2);
        Map.Entry<Long, Long> entry = Map.entry(Long.parseLong(pair[0]), Long.parseLong(pair[1]));
        versions.put(entry.getKey(), entry.getValue());
      }
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw UniserveException.invalid("not a token: '" + text + "'");
    }
    return new Token(versions);
  }
}
