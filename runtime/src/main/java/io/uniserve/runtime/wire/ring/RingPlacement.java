package io.uniserve.runtime.wire.ring;

import io.uniserve.api.error.UniserveException;
import java.util.List;

/**
 * The wish that a new table is placed on a ring of servers (<i>Crescando/RB</i> §6.2).
 *
 * @param servers the servers that the ring begins with, in the order of their identifiers; empty
 *     for all that take copies
 */
public record RingPlacement(List<String> servers) {
  /** Copies the list, and refuses a server that is named twice. */
  public RingPlacement {
    servers = List.copyOf(servers);
    if (servers.stream().distinct().count() < servers.size()) {
      throw UniserveException.invalid("a server is named twice: " + servers);
    }
  }
}
