package io.uniserve.runtime.wire.cluster;

import java.util.List;

/**
 * Where a placement policy wants an actor to be (DPA §4.4), and why. How far that is, its copies
 * say. A server of these that fails or is drained does not count; a move that somebody asks for
 * changes it.
 *
 * @param servers that are to hold a copy each
 * @param why the policy's reason, for people
 */
public record Placed(List<String> servers, String why) {
  /** Copies the list. */
  public Placed {
    servers = List.copyOf(servers);
  }

  /** Whether a copy on this server is wanted. */
  public boolean wants(String server) {
    return servers.contains(server);
  }

  /** The same with a copy on one server in place of another's, if it wants that. */
  Placed moved(String from, String to) {
    if (!wants(from)) {
      return this;
    }
    return wants(to)
        ? without(from)
        : new Placed(
            servers.stream().map(server -> server.equals(from) ? to : server).toList(), why);
  }

  /** The same without a copy on a server. */
  Placed without(String server) {
    return new Placed(servers.stream().filter(other -> !other.equals(server)).toList(), why);
  }
}
