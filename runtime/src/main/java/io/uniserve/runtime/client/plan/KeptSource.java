package io.uniserve.runtime.client.plan;

import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.KeptOutput;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.cluster.TableOrigin.Cut;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.plan.Spread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The assignment of a plan's datasets to the actors of the table that it is kept as. A dataset made
 * from actor {@code i} of a table, or at it, becomes actor {@code i}. So does a dataset gathered
 * for an attribute that belongs to it. An actor without a dataset is empty.
 *
 * @param keep the plan
 */
record KeptSource(Plan.Keep keep) {

  /** Returns the source that the plan reads or gathers before it only maps. */
  private Source root() {
    Source source = keep.source();
    while (source instanceof Source.Mapped mapped) {
      source = mapped.input();
    }
    return source;
  }

  /** Returns the division of a gather's attributes into parts, if the new table determines it. */
  Optional<Spread> spreadOf(Source.Gathered gather) {
    return gather == root() && gather.anchor().isEmpty()
        ? Optional.of(new Spread.AsActors(keep.table().partitioner()))
        : Optional.empty();
  }

  /**
   * Checks that the datasets are spread as the new table's actors must be.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT}
   */
  void requireSpread(ClusterState state) {
    if (keep.source() instanceof Source.Table table) {
      throw UniserveException.invalid(
          "table '%s' cannot be kept as table '%s': the plan has no operator that makes actors of it"
              .formatted(table.name(), keep.table().name()));
    }
    spreadOfTable(state)
        .filter(spread -> !spread.equals(keep.table().partitioner()))
        .ifPresent(
            spread -> {
              throw UniserveException.invalid(
                  "the datasets for table '%s' are spread by %s, not by %s"
                      .formatted(keep.table().name(), spread, keep.table().partitioner()));
            });
  }

  /**
   * Returns the partitioner of the existing table as whose actors the datasets are spread; empty if
   * there is none.
   */
  private Optional<Partitioner> spreadOfTable(ClusterState state) {
    Optional<Source.Table> table =
        switch (root()) {
          case Source.Table read -> Optional.of(read);
          case Source.Gathered gathered -> gathered.anchor();
          case Source.Mapped mapped -> throw new IllegalStateException("a root is not mapped");
        };
    return table.map(read -> state.requireTable(read.name()).definition().partitioner());
  }

  /**
   * Checks that an engine's operators made the datasets.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT}
   */
  void requireEngine(String engine) {
    if (!engine.equals(keep.table().engine())) {
      throw UniserveException.invalid(
          "the datasets for table '%s' of engine '%s' are made by engine '%s'"
              .formatted(keep.table().name(), keep.table().engine(), engine));
    }
  }

  /** Returns an empty record of stored actors. */
  Stored storing(KeptOutput output) {
    Cut nothing = new Cut(Position.START, false);
    return new Stored(output, new ArrayList<>(Collections.nCopies(keep.table().actors(), nothing)));
  }

  /**
   * The actors of the new table that are stored.
   *
   * @param output the stored output
   * @param cut the position of each
   */
  public record Stored(KeptOutput output, List<Cut> cut) {
    /** Notes that an attempt at an actor has succeeded. */
    void add(StageTask task) {
      cut.set(task.number(), new Cut(KeptOutput.positionOf(task.attempt()), false));
    }

    /** Returns the origin that the table is made of. */
    TableOrigin origin() {
      return new TableOrigin(output.place(), KeptOutput.TABLE, cut);
    }
  }
}
