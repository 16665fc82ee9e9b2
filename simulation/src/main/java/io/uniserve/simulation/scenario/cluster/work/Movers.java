package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.simulation.model.ModelFailures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * An operator who moves copies, cancels moves, drains servers and uses them again, while everything
 * fails.
 */
final class Movers {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private final ClusterClient client;
  private final RandomGenerator random;
  private final Placing placing;

  Movers(ClusterClient client, RandomGenerator random, Placing placing) {
    this.client = client;
    this.random = random;
    this.placing = placing;
  }

  /** Makes one request that an operator may make, whatever else is under way; it may be refused. */
  void meddle() {
    try {
      switch (random.nextInt(placing == Placing.NEVER ? 10 : 20)) {
        case 0 -> client.admin().drain(anyServer(), true, TIMEOUT);
        case 1, 2 -> client.admin().drain(anyServer(), false, TIMEOUT);
        case 3 -> client.admin().cancelMove(ClusterShape.TABLE, anyActor(), TIMEOUT);
        case 10, 11 -> pin(true);
        case 12, 13, 14 -> pin(false);
        case 15 -> client.admin().pausePlacement(true, TIMEOUT);
        case 16 -> client.admin().pausePlacement(false, TIMEOUT);
        case 17 -> client.admin().decidePlacement(Optional.empty(), false, TIMEOUT);
        case 18, 19 -> client.admin().decidePlacement(Optional.empty(), true, TIMEOUT);
        default -> move();
      }
    } catch (UniserveException e) {
      requireExpected(e);
    }
  }

  private void pin(boolean pinned) {
    client.admin().pin(ClusterShape.TABLE, anyActor(), anyServer(), pinned, TIMEOUT);
  }

  private void move() {
    int number = anyActor();
    ActorState actor = client.state().requireTable(ClusterShape.TABLE).actors().get(number);
    List<CopyState> copies = actor.copies();
    if (actor.ended()) {
      return;
    }
    String from = copies.get(random.nextInt(copies.size())).server();
    client.admin().move(ClusterShape.TABLE, number, from, anyServer(), TIMEOUT);
  }

  private int anyActor() {
    return random.nextInt(client.state().requireTable(ClusterShape.TABLE).actors().size());
  }

  private String anyServer() {
    List<String> names = List.copyOf(client.state().servers().keySet());
    return names.get(random.nextInt(names.size()));
  }

  /**
   * Uses a drained server again, if there is one; ends decisions of policies that nobody asked for.
   */
  void useAll() {
    ClusterState state = client.state();
    Optional<String> draining =
        state.servers().values().stream()
            .filter(server -> server.draining())
            .map(server -> server.name())
            .findFirst();
    try {
      draining.ifPresent(server -> client.admin().drain(server, false, TIMEOUT));
      if (state.placementPaused() != (placing == Placing.ON_INTERVAL)) {
        client.admin().pausePlacement(placing == Placing.ON_INTERVAL, TIMEOUT);
      }
    } catch (UniserveException e) {
      requireExpected(e);
    }
  }

  private static void requireExpected(UniserveException e) {
    boolean expected =
        switch (e.code()) {
          case INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS -> true;
          default -> e.retryable() || ModelFailures.caused(e);
        };
    if (!expected) {
      throw new IllegalStateException("a move was refused otherwise", e);
    }
  }
}
