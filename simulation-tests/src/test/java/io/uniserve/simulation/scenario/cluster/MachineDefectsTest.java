package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.ATOMIC_UPDATES;
import static io.uniserve.kernel.Invariant.ONE_PRIMARY;
import static io.uniserve.kernel.Invariant.PROGRESS;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;

import io.uniserve.api.Answer;
import io.uniserve.api.BatchedUpdate;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Invariant;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.scenario.SeedSearch;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import io.uniserve.simulation.scenario.controllers.OtherDisk;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that some seed notices when a failure of a server's machine, or engine, is passed over. */
@Execution(ExecutionMode.CONCURRENT)
class MachineDefectsTest {
  private static final String HALF_REFUSED = "an update that was half done is told as refused";
  private static final String HALF_APPLIED = "an update that was half done is told as applied";

  record Defect(
      String name,
      Set<Invariant> noticedAs,
      UnaryOperator<Environment> machine,
      Consistency level,
      List<FaultKind> faults) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "a lease does not end while a machine is suspended",
            EnumSet.of(ONE_PRIMARY, READ_AFTER_ACKNOWLEDGEMENT, ACKNOWLEDGED_SURVIVES),
            OneClock::new,
            Consistency.EVENTUAL,
            List.of(FaultKind.SUSPENSION)),
        new Defect(
            "an entry of a log counts as written though the disk had an error",
            EnumSet.of(
                ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT, SAME_ORDER_ON_COPIES, PROGRESS),
            machine -> new OtherDisk(machine, UnnoticedFailures::new),
            Consistency.ORDERED,
            List.of(FaultKind.FAILED_WRITES, FaultKind.OUTAGE)),
        new Defect(
            "an entry of a log counts as written though the disk was full",
            EnumSet.of(
                ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT, SAME_ORDER_ON_COPIES, PROGRESS),
            machine -> new OtherDisk(machine, UnnoticedFailures::new),
            Consistency.ORDERED,
            List.of(FaultKind.FULL_DISK, FaultKind.OUTAGE)));
  }

  private static ClusterShape shape(Consistency level, List<FaultKind> faults) {
    TableDefinition table =
        new TableDefinition(
            ClusterShape.TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(4),
            2,
            Durability.NONE,
            level,
            Map.of());
    return new ClusterShape(3, 4_000, 3, 2, table, faults, 1_000);
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    SeedSearch.assertSomeSeedNotices(
        defect.name(),
        defect.noticedAs(),
        () ->
            ClusterScenario.onMachines(
                defect.name(), defect.machine(), seed -> shape(defect.level(), defect.faults())));
  }

  private static List<BatchedUpdate.Outcome> refused(
      List<BatchedUpdate> updates,
      Function<List<BatchedUpdate>, List<BatchedUpdate.Outcome>> engine) {
    try {
      return engine.apply(updates);
    } catch (IllegalStateException e) {
      return Collections.nCopies(
          1, new BatchedUpdate.Outcome.Refused(UniserveException.invalid(e.getMessage())));
    }
  }

  private static List<BatchedUpdate.Outcome> applied(
      List<BatchedUpdate> updates,
      Function<List<BatchedUpdate>, List<BatchedUpdate.Outcome>> engine) {
    try {
      return engine.apply(updates);
    } catch (IllegalStateException e) {
      List<Long> none = Collections.nCopies(updates.getFirst().records().size(), 0L);
      return List.of(new BatchedUpdate.Outcome.Applied(Answer.each(none)));
    }
  }

  @Test
  void someSeedNoticesWhatWasRefusedAfterItWasHalfDone() {
    SeedSearch.assertSomeSeedNotices(
        HALF_REFUSED,
        EnumSet.of(SAME_ORDER_ON_COPIES, ATOMIC_UPDATES),
        () ->
            new ClusterScenario(
                HALF_REFUSED,
                MachineDefectsTest::refused,
                seed -> shape(Consistency.ORDERED, List.of(FaultKind.FAILING_ENGINE))));
  }

  @Test
  void someSeedNoticesWhatWasAppliedAlthoughItWasHalfDone() {
    SeedSearch.assertSomeSeedNotices(
        HALF_APPLIED,
        EnumSet.of(
            SAME_ORDER_ON_COPIES,
            ATOMIC_UPDATES,
            ACKNOWLEDGED_SURVIVES,
            READ_AFTER_ACKNOWLEDGEMENT),
        () ->
            new ClusterScenario(
                HALF_APPLIED,
                MachineDefectsTest::applied,
                seed -> shape(Consistency.ORDERED, List.of(FaultKind.FAILING_ENGINE))));
  }
}
