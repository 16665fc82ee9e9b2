package io.uniserve.simulation.scenario.cluster;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.ATOMIC_UPDATES;
import static io.uniserve.kernel.Invariant.EXACT_ANSWER;
import static io.uniserve.kernel.Invariant.READ_AFTER_ACKNOWLEDGEMENT;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;
import static io.uniserve.kernel.Invariant.TOTAL_ORDER;

import io.uniserve.api.Answer;
import io.uniserve.api.BatchedUpdate;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Invariant;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.model.BatchDefect;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.scenario.SeedSearch;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that some seed notices when an engine takes several updates at once in a wrong way. */
@Execution(ExecutionMode.CONCURRENT)
class BatchDefectsTest {
  record Defect(String name, Set<Invariant> noticedAs, BatchDefect defect) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "an engine applies the second update of a batch before the first",
            EnumSet.of(ATOMIC_UPDATES, SAME_ORDER_ON_COPIES, TOTAL_ORDER, EXACT_ANSWER),
            BatchDefectsTest::overtaken),
        new Defect(
            "an engine gives two updates of a batch each other's outcome",
            EnumSet.of(EXACT_ANSWER, ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT),
            (updates, engine) -> exchanged(engine.apply(updates))),
        new Defect(
            "an engine forgets the last update of a batch",
            EnumSet.of(
                ACKNOWLEDGED_SURVIVES, READ_AFTER_ACKNOWLEDGEMENT, ATOMIC_UPDATES, EXACT_ANSWER),
            BatchDefectsTest::withoutLast),
        new Defect(
            "an engine has applied the updates of a batch that it leaves to the next",
            EnumSet.of(SAME_ORDER_ON_COPIES),
            (updates, engine) -> engine.apply(updates).subList(0, 1)));
  }

  private static <T> List<T> exchanged(List<T> some) {
    List<T> exchanged = new ArrayList<>(some);
    if (some.size() > 1) {
      Collections.swap(exchanged, 0, 1);
    }
    return exchanged;
  }

  private static List<BatchedUpdate.Outcome> overtaken(
      List<BatchedUpdate> updates,
      Function<List<BatchedUpdate>, List<BatchedUpdate.Outcome>> engine) {
    return exchanged(engine.apply(exchanged(updates)));
  }

  private static List<BatchedUpdate.Outcome> withoutLast(
      List<BatchedUpdate> updates,
      Function<List<BatchedUpdate>, List<BatchedUpdate.Outcome>> engine) {
    if (updates.size() == 1) {
      return engine.apply(updates);
    }
    List<BatchedUpdate> some = updates.subList(0, updates.size() - 1);
    List<BatchedUpdate.Outcome> outcomes = new ArrayList<>(engine.apply(some));
    if (outcomes.size() == some.size()) {
      List<Long> none = Collections.nCopies(updates.getLast().records().size(), 0L);
      outcomes.add(new BatchedUpdate.Outcome.Applied(Answer.each(none)));
    }
    return outcomes;
  }

  /** Returns a cluster with two copies of four actors of a table of ordered updates. */
  private static ClusterShape shape(Seed seed) {
    TableDefinition table =
        new TableDefinition(
            ClusterShape.TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(4),
            2,
            Durability.NONE,
            Consistency.ORDERED,
            Map.of());
    List<FaultKind> faults = List.of(FaultKind.CRASH, FaultKind.PARTITION, FaultKind.PAUSE);
    return new ClusterShape(3, 4_000, 4, 2, table, faults, 1_000);
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    SeedSearch.assertSomeSeedNotices(
        defect.name(),
        defect.noticedAs(),
        () -> new ClusterScenario(defect.name(), defect.defect(), BatchDefectsTest::shape));
  }
}
