package io.uniserve.runtime.wire.cluster;

import java.util.List;

/**
 * The servers where a placement policy wants an actor (DPA §4.4), and the reason. The actor's
 * copies tell how far that is. A wanted server that fails or is drained does not count; a move on
 * request changes the wish.
 *
 * @param servers that are to hold a copy each
 * @param why the policy's reason, for people
 */
public record Placed(List<String> servers, String why) {
  /** Copies the list. */
  public Placed {
    servers = List.copyOf(servers);
  }

  /** Returns whether a copy on this server is wanted. */
  public boolean wants(String server) {
    return servers.contains(server);
  }

  /**
   * Returns the same wish with a copy on one server in place of another's, if it wants that one.
   */
  Placed moved(String from, String to) {
    if (!wants(from)) {
      return this;
    }
    return wants(to)
        ? without(from)
        : new Placed(
            servers.stream().map(server -> server.equals(from) ? to : server).toList(), why);
  }

  /** Returns the same wish without a copy on a server. */
  Placed without(String server) {
    return new Placed(servers.stream().filter(other -> !other.equals(server)).toList(), why);
  }
}
