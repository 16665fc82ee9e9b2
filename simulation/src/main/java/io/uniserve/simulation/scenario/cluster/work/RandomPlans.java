package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.simulation.model.AllOperations;
import io.uniserve.simulation.model.AtHome;
import io.uniserve.simulation.model.CopyOperations;
import io.uniserve.simulation.model.GatherOperations;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadOperations;
import io.uniserve.simulation.model.ScatterOperations;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.random.RandomGenerator;

/** Random plans of map, scatter and gather that carry every operation of the table to the end. */
final class RandomPlans {
  private static final int STAGES_MAX = 4;

  /**
   * The largest number of attributes, as a power of 2: 32 are several for each server; more would
   * take longer and test nothing else.
   */
  private static final int ATTRIBUTES_LOG2_MAX = 5;

  private final String table;
  private final RandomGenerator random;
  private final Shapes shapes;

  RandomPlans(String table, RandomGenerator random, Shapes shapes) {
    this.table = table;
    this.random = random;
    this.shapes = shapes;
  }

  /** Returns a plan for the operations of each actor, in any order. */
  Plan<SortedMap<Integer, List<Operation>>> next() {
    if (random.nextInt(4) == 0) {
      return new Plan.Query<>(beside(), new AtHome.ReadBeside(), new AllOperations(shapes::of));
    }
    Source source = random.nextBoolean() ? copied(table()) : gathered(table());
    for (int i = random.nextInt(STAGES_MAX); i > 0; i--) {
      source = random.nextInt(3) == 0 ? copied(source) : gathered(source);
    }
    return new Plan.Query<>(source, new ReadOperations(), new AllOperations(shapes::of));
  }

  /** Returns a source of every actor, read only after data was gathered at it. */
  private Source beside() {
    Source from = random.nextBoolean() ? table() : copied(table());
    return new Source.Gathered(
        List.of(new Source.Scattered(from, new AtHome.ScatterCounts())),
        Optional.of(table()),
        new AtHome.GatherBeside());
  }

  private Source.Table table() {
    return Source.table(table);
  }

  private static Source copied(Source source) {
    return new Source.Mapped(source, new CopyOperations());
  }

  private Source gathered(Source source) {
    boolean anchored = random.nextBoolean();
    int attributes = random.nextInt(3) == 0 ? 0 : 1 << random.nextInt(ATTRIBUTES_LOG2_MAX + 1);
    return new Source.Gathered(
        List.of(new Source.Scattered(source, new ScatterOperations(attributes))),
        anchored ? Optional.of(table()) : Optional.empty(),
        new GatherOperations());
  }
}
