package io.uniserve.runtime.control;

import io.uniserve.api.policy.LoadSample.ServerSample;
import java.util.Optional;

/** What the router that decides knows of the load of servers. */
@FunctionalInterface
interface LoadSource {
  /** The load of a living server; empty if nothing was heard of it yet. */
  Optional<ServerSample> load(String server);
}
