package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.ModelFailures;
import io.uniserve.simulation.model.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A client that crashes in the middle of its updates, and never asks again about any. */
public final class CrashingClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(4);
  private static final int REDEFINES_ONE_IN = 8;

  private final String table;
  private final Workload.Numbers numbers;
  private final Witness witness;
  private volatile boolean working;
  private volatile boolean stopping;

  /**
   * @param table that it updates, once it exists
   * @param numbers the numbers of its operations
   * @param witness hears what it does
   */
  public CrashingClient(String table, Workload.Numbers numbers, Witness witness) {
    this.table = table;
    this.numbers = numbers;
    this.witness = witness;
  }

  /** Begins its next life. */
  public void live(Environment environment, ClusterClient client) {
    working = false;
    environment.threads().start("updates", () -> run(environment, client));
  }

  private void run(Environment environment, ClusterClient client) {
    RandomGenerator random = environment.random();
    while (!stopping) {
      if (client.state().table(table).isPresent()) {
        working = true;
        if (random.nextInt(REDEFINES_ONE_IN) == 0) {
          redefine(client);
        } else {
          update(client, random);
        }
        working = false;
      }
      pause(environment, random.nextInt(100));
    }
  }

  private void update(ClusterClient client, RandomGenerator random) {
    List<Operation> operations = new ArrayList<>();
    for (int i = random.nextInt(2, 6); i > 0; i--) {
      operations.add(new Operation(random.nextLong(Workload.KEYS), numbers.next()));
    }
    String key = "mortal-" + operations.getFirst().number();
    witness.begun(ClusterShape.MORTAL, key, operations);
    try {
      UpdateOptions options = new UpdateOptions(TIMEOUT, Acknowledgement.PRIMARY, Optional.of(key));
      UpdateReceipt receipt = client.update(table, new AppendOperations(), operations, options);
      witness.acknowledged(
          ClusterShape.MORTAL, key, operations, Acknowledgement.ALL_COPIES, receipt);
    } catch (UniserveException e) {
      if (!e.retryable() && !ModelFailures.caused(e)) {
        throw new IllegalStateException("an update failed for good", e);
      }
    }
  }

  private void redefine(ClusterClient client) {
    try {
      client.query(Redefiner.adding(table, numbers.next()), new QueryOptions(TIMEOUT));
    } catch (UniserveException e) {
      if (!e.retryable() && e.code() != ErrorCode.ABORTED && !ModelFailures.caused(e)) {
        throw new IllegalStateException("a table could not be redefined", e);
      }
    }
  }

  private static void pause(Environment environment, long millis) {
    try {
      environment.clock().sleep(Duration.ofMillis(millis));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a workload", e);
    }
  }

  /** Lets the update in progress finish, and begins no further ones. */
  public void stop() {
    stopping = true;
  }

  public boolean finished() {
    return stopping && !working;
  }
}
