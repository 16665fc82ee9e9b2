package io.uniserve.simulation.scenario.cluster.store;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.EXACT_ANSWER;
import static io.uniserve.kernel.Invariant.PROGRESS;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Invariant;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.scenario.SeedSearch;
import io.uniserve.simulation.scenario.cluster.ClusterScenario;
import io.uniserve.simulation.scenario.cluster.CollectsAtOnce;
import io.uniserve.simulation.scenario.cluster.InterruptedLoads;
import io.uniserve.simulation.scenario.cluster.RotsUnnoticed;
import io.uniserve.simulation.scenario.cluster.WritesLater;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that some seed notices when a safety step between the system and its durable store is taken
 * out.
 */
@Execution(ExecutionMode.CONCURRENT)
class StoreDefectsTest {
  record Defect(
      String name, Set<Invariant> noticedAs, StoreDefect store, Supplier<Interception> messages) {
    Defect(String name, Set<Invariant> noticedAs, StoreDefect store) {
      this(name, noticedAs, store, () -> new Interception() {});
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "an update is acknowledged before it is uploaded",
            EnumSet.of(ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT),
            (store, environment) -> new WritesLater(store, environment, "/history/log-")),
        new Defect(
            "a manifest is written before the files that it names",
            EnumSet.of(PROGRESS),
            (store, environment) ->
                new WritesLater(new CollectsAtOnce(store), environment, "/objects/")),
        new Defect(
            "the log is collected too early",
            EnumSet.of(ACKNOWLEDGED_SURVIVES),
            (store, environment) -> new CollectsAtOnce(store)),
        new Defect(
            "checksums are not looked at",
            EnumSet.of(
                ACKNOWLEDGED_SURVIVES,
                READ_AFTER_ACKNOWLEDGEMENT,
                EXACT_ANSWER,
                SAME_ORDER_ON_COPIES,
                PROGRESS),
            (store, environment) -> new RotsUnnoticed(store)),
        new Defect(
            "a restore whose load is interrupted is told as success",
            EnumSet.of(ACKNOWLEDGED_SURVIVES),
            StoreDefect.NONE,
            InterruptedLoads::new));
  }

  /** Returns a cluster with one copy, which the durable store protects. */
  private static ClusterShape shape(Seed seed) {
    TableDefinition table =
        new TableDefinition(
            ClusterShape.TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(3),
            1,
            Durability.SYNCHRONOUS,
            Map.of());
    List<FaultKind> faults = List.of(FaultKind.CRASH, FaultKind.DISK_LOSS);
    return new ClusterShape(1, 4_000, 4, 2, table, faults, 1_000);
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    SeedSearch.assertSomeSeedNotices(
        defect.name(),
        defect.noticedAs(),
        () ->
            new ClusterScenario(
                defect.name(), defect.messages().get(), defect.store(), StoreDefectsTest::shape));
  }
}
