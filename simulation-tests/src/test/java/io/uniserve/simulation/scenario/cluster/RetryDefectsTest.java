package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.SAFE_RETRIES;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.scenario.SeedSearch;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that some seed notices when a caller that gave no idempotency key is told that an update of
 * unknown outcome may be sent again.
 */
@Execution(ExecutionMode.CONCURRENT)
class RetryDefectsTest {
  private static final List<FaultKind> FAULTS =
      List.of(FaultKind.CRASH, FaultKind.PARTITION, FaultKind.MESSAGE_LOSS, FaultKind.PAUSE);

  private static ClusterShape shape(Consistency level) {
    TableDefinition table =
        new TableDefinition(
            ClusterShape.TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(4),
            2,
            Durability.NONE,
            level,
            Map.of());
    return new ClusterShape(3, 4_000, 3, 3, table, FAULTS, 1_000);
  }

  private static UniserveException retryable(UniserveException failure) {
    return failure.outcomeUnknown()
        ? new UniserveException(failure.code(), failure.getMessage(), failure)
        : failure;
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void someSeedNotices(Consistency level) {
    String defect =
        "an unknown outcome is told as retryable: " + level.name().toLowerCase(Locale.ROOT);
    SeedSearch.assertSomeSeedNotices(
        defect,
        EnumSet.of(SAFE_RETRIES, SAME_ORDER_ON_COPIES),
        () -> new ClusterScenario(defect, RetryDefectsTest::retryable, seed -> shape(level)));
  }
}
