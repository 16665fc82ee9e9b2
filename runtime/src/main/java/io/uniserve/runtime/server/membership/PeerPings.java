package io.uniserve.runtime.server.membership;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.server.base.ServerSettings;
import io.uniserve.runtime.wire.ControlMessage.Noted;
import io.uniserve.runtime.wire.ControlMessage.Suspect;
import io.uniserve.runtime.wire.ServerMessage.Ping;
import io.uniserve.runtime.wire.ServerMessage.Pong;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pings of a random peer now and then. A peer that does not answer is reported to the
 * coordinator.
 */
public final class PeerPings {
  private static final Logger LOG = LoggerFactory.getLogger(PeerPings.class);

  private final Environment environment;
  private final String self;
  private final Controllers controllers;
  private final ServerSettings settings;
  private final Supplier<ClusterState> state;
  private volatile boolean closed;

  public PeerPings(
      Environment environment,
      String self,
      Controllers controllers,
      ServerSettings settings,
      Supplier<ClusterState> state) {
    this.environment = environment;
    this.self = self;
    this.controllers = controllers;
    this.settings = settings;
    this.state = state;
  }

  public void start() {
    environment.threads().start("pings of " + self, this::run);
  }

  public void close() {
    closed = true;
  }

  private void run() {
    try {
      while (!closed) {
        environment.clock().sleep(settings.peers().pingInterval());
        List<ServerState> peers = peers();
        if (!peers.isEmpty()) {
          ping(peers.get(environment.random().nextInt(peers.size())));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<ServerState> peers() {
    return state.get().servers().values().stream()
        .filter(server -> server.alive() && !server.name().equals(self))
        .toList();
  }

  private void ping(ServerState peer) {
    try {
      Pong pong = Calls.ask(environment, peer.address(), new Ping(), Pong.class, timeout());
      if (pong.incarnation() < peer.incarnation()) {
        report(peer, "its process has not joined again");
      }
    } catch (UniserveException e) {
      report(peer, "no answer to " + self + ": " + e.getMessage());
    }
  }

  private void report(ServerState peer, String why) {
    try {
      Suspect suspect = new Suspect(peer.name(), peer.incarnation(), why);
      controllers.ask(suspect, Noted.class, timeout());
    } catch (UniserveException e) {
      LOG.debug("a suspicion of {} did not reach the coordinator: {}", peer.name(), e.getMessage());
    }
  }

  private Deadline timeout() {
    return Deadline.after(environment.clock(), settings.peers().pingTimeout());
  }
}
