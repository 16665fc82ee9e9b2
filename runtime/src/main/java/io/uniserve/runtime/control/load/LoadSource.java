package io.uniserve.runtime.control.load;

import io.uniserve.runtime.wire.LoadMessage.ServerFigures;
import java.util.Optional;

/** A source of the load of servers, as the controller that decides knows it. */
@FunctionalInterface
public interface LoadSource {
  /** Returns the load of a living server; empty if none was reported yet. */
  Optional<ServerFigures> load(String server);
}
