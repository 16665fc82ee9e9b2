package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * An operator who accepts the loss of data that a table waits for, or of a damaged copy, once that
 * has taken a while, whether it would come back or not.
 */
public final class AcceptingOperator {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final String DAMAGED = "damaged";
  private static final int PATIENCE_MILLIS_MAX = 6_000;

  private final Environment environment;
  private final ClusterClient client;
  private final RandomGenerator random;

  public AcceptingOperator(Environment environment, ClusterClient client) {
    this.environment = environment;
    this.client = client;
    random = environment.random();
  }

  /** Begins to look, for ever. */
  public void start() {
    environment
        .threads()
        .start(
            "operator",
            () -> {
              while (true) {
                pause(random.nextInt(PATIENCE_MILLIS_MAX));
                if (waits()) {
                  pause(random.nextInt(PATIENCE_MILLIS_MAX));
                  accept();
                }
              }
            });
  }

  private boolean waits() {
    ClusterState state = client.state();
    return state.table(ClusterShape.TABLE).filter(table -> waits(state, table)).isPresent();
  }

  private boolean waits(ClusterState state, TableState table) {
    return table.living().keySet().stream().anyMatch(number -> state.waits(table.actorId(number)))
        || isDamaged(table);
  }

  /** Returns whether a server says that its copy of an actor is damaged. */
  private boolean isDamaged(TableState table) {
    return client.view().statuses(TIMEOUT).stream()
        .flatMap(server -> server.actors().stream())
        .anyMatch(copy -> copy.actor().table() == table.id() && copy.role().equals(DAMAGED));
  }

  /** Accepts the loss, unless everything is there again meanwhile. */
  private void accept() {
    try {
      client.backups().recover(ClusterShape.TABLE, TIMEOUT);
    } catch (UniserveException e) {
      if (!e.retryable() && e.code() != ErrorCode.INVALID_ARGUMENT) {
        throw new IllegalStateException("a loss could not be accepted", e);
      }
    }
  }

  private void pause(long millis) {
    try {
      environment.clock().sleep(Duration.ofMillis(millis));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts an operator", e);
    }
  }
}
