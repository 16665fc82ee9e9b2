package io.uniserve.runtime.client.tables;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Threads;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.wire.ServerMessage.AskStatus;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The requests to servers for their status. */
public record ServerStatuses(ClientContext client) {
  private static final Logger LOG = LoggerFactory.getLogger(ServerStatuses.class);

  /** Asks all living servers at once; returns the answers that come. */
  public List<ServerStatus> ask(Deadline deadline) {
    Threads threads = client.environment().threads();
    List<Promise<Optional<ServerStatus>>> asked = new ArrayList<>();
    for (ServerState server : client.state().servers().values()) {
      if (server.alive()) {
        Promise<Optional<ServerStatus>> promise = new Promise<>(threads);
        asked.add(promise);
        threads.start(
            "status of " + server.name(), () -> promise.complete(status(server, deadline)));
      }
    }
    return asked.stream()
        .map(
            promise ->
                promise.await(
                    Deadline.after(client.environment().clock(), Deadline.LONGEST), "statuses"))
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<ServerStatus> status(ServerState server, Deadline deadline) {
    try {
      return Optional.of(client.calls().ask(server, new AskStatus(), ServerStatus.class, deadline));
    } catch (UniserveException e) {
      LOG.debug("server {} did not send its status: {}", server.name(), e.getMessage());
      return Optional.empty();
    }
  }
}
