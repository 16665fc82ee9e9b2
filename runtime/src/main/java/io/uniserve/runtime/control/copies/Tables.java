package io.uniserve.runtime.control.copies;

import io.uniserve.api.Durability;
import io.uniserve.api.Engine;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.wire.ControlMessage;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.KeptOutput;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.ring.Ring;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The tables of the cluster: their creation and their end. */
public final class Tables {
  private final Decisions decisions;
  private final Engines engines;
  private final Repairs repairs;
  private final Clock clock;

  /**
   * @param engines check definitions
   * @param repairs choose the servers of copies
   */
  public Tables(Decisions decisions, Engines engines, Repairs repairs, Clock clock) {
    this.decisions = decisions;
    this.engines = engines;
    this.repairs = repairs;
    this.clock = clock;
  }

  /**
   * Creates a table.
   *
   * @return its identity
   * @throws UniserveException with {@link ErrorCode#ALREADY_EXISTS}; other codes say what is wrong
   *     with the definition
   */
  public long create(ControlMessage.CreateTable create) {
    TableDefinition definition = create.definition();
    ClusterState state = decisions.state();
    if (state.table(definition.name()).isPresent()) {
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS, "there already is a table '" + definition.name() + "'");
    }
    create.origin().ifPresent(origin -> requireKept(definition, origin));
    Engine<?> engine = engines.engine(definition.engine());
    requireLevel(definition, engine);
    requireStored(definition);
    engine.validate(definition);
    long id = state.version() + 1;
    Optional<Ring> ring = create.ring().map(wish -> NewRing.of(state, definition, wish));
    List<List<String>> placement =
        ring.map(one -> NewRing.placement(definition, one))
            .orElseGet(() -> repairs.placementOf(id, definition));
    List<ControlRecord> records = new ArrayList<>();
    records.add(new ControlRecord.TableCreated(id, definition, create.origin(), placement));
    ring.ifPresent(one -> records.add(new ControlRecord.RingBegun(id, one.members())));
    decisions.record(records);
    return id;
  }

  /**
   * Requires that a plan's kept output has not expired, since an expired one may be deleted at any
   * time.
   */
  private void requireKept(TableDefinition definition, TableOrigin origin) {
    long nowMillis = clock.now().toEpochMilli();
    if (KeptOutput.at(origin.cluster()).filter(kept -> kept.expired(nowMillis)).isPresent()) {
      throw new UniserveException(
          ErrorCode.DEADLINE_EXCEEDED,
          "the output kept for table '" + definition.name() + "' has expired; run the plan again");
    }
  }

  private static void requireStored(TableDefinition definition) {
    if (definition.durability() == Durability.NONE
        && definition.onLoss().restoreAfter().isPresent()) {
      throw UniserveException.invalid(
          "table '"
              + definition.name()
              + "': on-loss must be 'wait' if durability is 'none': there is nothing to restore");
    }
  }

  private static void requireLevel(TableDefinition definition, Engine<?> engine) {
    if (!definition.consistency().supportedBy(engine)) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "table '"
              + definition.name()
              + "': engine '"
              + engine.name()
              + "' has no updates of level "
              + definition.consistency());
    }
  }

  /**
   * Drops a table.
   *
   * @return its identity
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND}
   */
  public long drop(ControlMessage.DropTable drop) {
    TableState table = decisions.state().requireTable(drop.name());
    decisions.record(List.of(new ControlRecord.TableDropped(table.id())));
    return table.id();
  }
}
