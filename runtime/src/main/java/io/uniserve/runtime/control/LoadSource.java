package io.uniserve.runtime.control;

import io.uniserve.runtime.wire.LoadMessage.ServerFigures;
import java.util.Optional;

/** What the router that decides knows of the load of servers. */
@FunctionalInterface
interface LoadSource {
  /** The load of a living server; empty if nothing was heard of it yet. */
  Optional<ServerFigures> load(String server);
}
