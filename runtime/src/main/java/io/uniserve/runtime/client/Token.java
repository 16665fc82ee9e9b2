package io.uniserve.runtime.client;

import io.uniserve.api.error.UniserveException;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What somebody has seen or written of tables whose reads are of one version: given to a query of
 * any client, the query sees no less. So one client reads what another wrote, and a session that
 * goes from one to the other never goes back in time.
 *
 * @param versions of each table, by its identity
 */
public record Token(SortedMap<Long, Long> versions) {
  /** Nothing. */
  public static final Token NONE = new Token(Collections.emptySortedMap());

  /** Copies the versions. */
  public Token {
    versions = Collections.unmodifiableSortedMap(new TreeMap<>(versions));
  }

  /** What an update wrote. */
  public static Token of(UpdateReceipt receipt) {
    TreeMap<Long, Long> versions = new TreeMap<>();
    receipt.positions().keySet().forEach(actor -> versions.put(actor.table(), receipt.version()));
    return new Token(versions);
  }

  /** The version of one table; 0 if nothing is known of it. */
  public long versionOf(long table) {
    return versions.getOrDefault(table, 0L);
  }

  /** The same of some tables only, as of those that there are. */
  public Token of(Set<Long> tables) {
    TreeMap<Long, Long> some = new TreeMap<>(versions);
    some.keySet().retainAll(tables);
    return new Token(some);
  }

  /** Both. */
  public Token and(Token other) {
    TreeMap<Long, Long> both = new TreeMap<>(versions);
    other.versions.forEach((table, version) -> both.merge(table, version, Math::max));
    return new Token(both);
  }

  /** As text, to travel with a request: {@code 6:17,9:3}. */
  @Override
  public String toString() {
    return versions.entrySet().stream()
        .map(entry -> entry.getKey() + ":" + entry.getValue())
        .collect(Collectors.joining(","));
  }

  /**
   * The token that {@link #toString} made this text of.
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
