package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.UniserveException;
import io.uniserve.runtime.client.ClusterClient;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Moves copies about, cancels moves, drains servers and uses them again, while everything fails.
 */
final class Movers {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private final ClusterClient client;
  private final RandomGenerator random;

  Movers(ClusterClient client, RandomGenerator random) {
    this.client = client;
    this.random = random;
  }

  /** One thing that an operator may want, whatever else is under way; it may be refused. */
  void meddle() {
    try {
      switch (random.nextInt(10)) {
        case 0 -> client.drain(anyServer(), true, TIMEOUT);
        case 1, 2 -> client.drain(anyServer(), false, TIMEOUT);
        case 3 -> client.cancelMove(ClusterShape.TABLE, anyActor(), TIMEOUT);
        default -> move();
      }
    } catch (UniserveException e) {
      requireExpected(e);
    }
  }

  private void move() {
    int number = anyActor();
    ActorState actor = client.state().requireTable(ClusterShape.TABLE).actors().get(number);
    List<CopyState> copies = actor.copies();
    String from = copies.get(random.nextInt(copies.size())).server();
    client.move(ClusterShape.TABLE, number, from, anyServer(), TIMEOUT);
  }

  private int anyActor() {
    return random.nextInt(client.state().requireTable(ClusterShape.TABLE).actors().size());
  }

  private String anyServer() {
    List<String> names = List.copyOf(client.state().servers().keySet());
    return names.get(random.nextInt(names.size()));
  }

  /** Uses a server again that is drained, if there is one. */
  void useAll() {
    ClusterState state = client.state();
    Optional<String> draining =
        state.servers().values().stream()
            .filter(server -> server.draining())
            .map(server -> server.name())
            .findFirst();
    try {
      draining.ifPresent(server -> client.drain(server, false, TIMEOUT));
    } catch (UniserveException e) {
      requireExpected(e);
    }
  }

  private static void requireExpected(UniserveException e) {
    boolean expected =
        switch (e.code()) {
          case INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS -> true;
          default -> e.retryable();
        };
    if (!expected) {
      throw new IllegalStateException("a move was refused otherwise", e);
    }
  }
}
