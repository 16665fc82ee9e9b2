package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.model.AppendOperations;
import io.uniserve.simulation.model.Operation;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Updates of callers that give no idempotency key, and do as errors tell: they send an update again
 * if its failure is retryable, and never otherwise. Some give up after a retryable failure.
 */
final class KeylessUpdates {
  private static final int GIVES_UP_ONE_IN = 4;

  private final String name;
  private final ClusterClient client;
  private final String table;
  private final Witness witness;
  private final Pace pace;
  private final RandomGenerator random;
  private final ErrorDefect defect;

  /**
   * @param name the name of the client
   * @param client makes a key for each call, as behind a gateway
   * @param table that is updated
   * @param witness hears what happens
   * @param pace says what may fail
   * @param random decides who gives up
   * @param defect the defect of what callers are told
   */
  KeylessUpdates(
      String name,
      ClusterClient client,
      String table,
      Witness witness,
      Pace pace,
      RandomGenerator random,
      ErrorDefect defect) {
    this.name = name;
    this.client = client;
    this.table = table;
    this.witness = witness;
    this.pace = pace;
    this.random = random;
    this.defect = defect;
  }

  /** Appends some operations, or the first; whether that was done may be unknown in the end. */
  void append(List<Operation> all, Acknowledgement level) {
    // An update of one actor fails more often before anything was sent.
    List<Operation> operations = random.nextBoolean() ? all : List.of(all.getFirst());
    String update = "keyless-" + operations.getFirst().number();
    witness.begun(name, update, operations);
    boolean over = false;
    while (!over) {
      try {
        UpdateReceipt receipt =
            client.update(
                table,
                new AppendOperations(),
                operations,
                new UpdateOptions(pace.hastyTimeout(random), level, Optional.empty()));
        witness.acknowledged(name, update, operations, level, receipt);
        over = true;
      } catch (UniserveException e) {
        over = !isSentAgain(update, operations, defect.told(e));
      }
    }
  }

  private boolean isSentAgain(String update, List<Operation> operations, UniserveException told) {
    pace.failed("an update without a key", told);
    if (!told.retryable()) {
      return false;
    }
    witness.toldToRetry(update, operations);
    boolean again = random.nextInt(GIVES_UP_ONE_IN) > 0;
    if (again) {
      witness.sentAgain(update);
    }
    return again;
  }
}
