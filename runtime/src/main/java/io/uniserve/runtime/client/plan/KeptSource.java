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
 * Which of the datasets that a plan makes becomes which actor of the table that it is kept as: what
 * was made of actor {@code i} of a table, or at it, becomes actor {@code i}, and so does what was
 * gathered of an attribute that belongs to it. An actor that nothing becomes is empty.
 *
 * @param keep the plan
 */
record KeptSource(Plan.Keep keep) {

  /** What the plan reads or gathers before it only maps. */
  private Source root() {
    Source source = keep.source();
    while (source instanceof Source.Mapped mapped) {
      source = mapped.input();
    }
    return source;
  }

  /** How the attributes of a gather make parts, if that is for the new table to say. */
  Optional<Spread> spreadOf(Source.Gathered gather) {
    return gather == root() && gather.anchor().isEmpty()
        ? Optional.of(new Spread.AsActors(keep.table().partitioner()))
        : Optional.empty();
  }

  /**
   * Checks that the datasets are spread as the new table's actors are to be.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT}
   */
  void requireSpread(ClusterState state) {
    if (keep.source() instanceof Source.Table table) {
      throw UniserveException.invalid(
          "table '%s' cannot be kept as table '%s': no operator makes anything of it"
              .formatted(table.name(), keep.table().name()));
    }
    spreadOfTable(state)
        .filter(spread -> !spread.equals(keep.table().partitioner()))
        .ifPresent(
            spread -> {
              throw UniserveException.invalid(
                  "what table '%s' is to keep is spread by %s, not by %s"
                      .formatted(keep.table().name(), spread, keep.table().partitioner()));
            });
  }

  /** As which table's actors the datasets are spread, if as any that there is. */
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
          "what table '%s' of engine '%s' is to keep is made by engine '%s'"
              .formatted(keep.table().name(), keep.table().engine(), engine));
    }
  }

  /** Nothing is stored yet. */
  Stored storing(KeptOutput output) {
    Cut nothing = new Cut(Position.START, false);
    return new Stored(output, new ArrayList<>(Collections.nCopies(keep.table().actors(), nothing)));
  }

  /**
   * What has been stored of the new table's actors.
   *
   * @param output as which
   * @param cut the position of each
   */
  public record Stored(KeptOutput output, List<Cut> cut) {
    /** An attempt at an actor has succeeded. */
    void add(StageTask task) {
      cut.set(task.number(), new Cut(KeptOutput.positionOf(task.attempt()), false));
    }

    /** What the table is made of. */
    TableOrigin origin() {
      return new TableOrigin(output.place(), KeptOutput.TABLE, cut);
    }
  }
}
