package io.uniserve.runtime.control.reshape;

import io.uniserve.api.Engine;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.wire.ControlMessage.BeginRedefinition;
import io.uniserve.runtime.wire.ControlMessage.EndRedefinition;
import io.uniserve.runtime.wire.cluster.ControlRecord.TableRedefined;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.List;
import java.util.Optional;

/**
 * The changes of tables' schemas: one of a table at a time, and none while an attempt to split or
 * merge its actors is under way. Such an attempt would fail; with frequent schema changes, so would
 * every other.
 */
public final class Redefinitions {
  private final ControlContext control;
  private final Decisions decisions;
  private final ReshapeTurns attempts;

  /**
   * @param attempts the attempts to split and merge actors
   */
  public Redefinitions(ControlContext control, ReshapeTurns attempts) {
    this.control = control;
    this.decisions = control.decisions();
    this.attempts = attempts;
  }

  /**
   * Begins to change the schema of a table. During an attempt to split or merge its actors, the
   * call is refused once that attempt is over, so that its caller need not ask all the time.
   *
   * @return its identity; empty if the call is refused later
   * @throws UniserveException with {@link ErrorCode#ABORTED} if the schema is not the one that the
   *     caller knows; other codes say what is wrong with the change
   */
  public Optional<Long> begin(BeginRedefinition begin, Incoming call) {
    TableState table = requireCurrent(begin.table(), begin.after());
    if (table.redefined().next().isPresent()) {
      throw changedMeanwhile(table);
    }
    if (attempts.isUnderWay(table.id())) {
      UniserveException refusal =
          new UniserveException(
              ErrorCode.ABORTED,
              "actors of table '" + table.definition().name() + "' were being split or merged");
      attempts.whenOver(() -> decisions.submit(() -> call.fail(refusal)));
      return Optional.empty();
    }
    requireRedefinable(table.definition(), begin.meanwhile());
    requireRedefinable(table.definition(), begin.next());
    decisions.record(
        List.of(new TableRedefined(table.id(), begin.meanwhile(), Optional.of(begin.next()))));
    return Optional.of(table.id());
  }

  /**
   * Concludes a change: all actors of a table have its next schema. Actors that were to be split or
   * merged meanwhile are looked at before the next change can begin.
   *
   * @return its identity
   * @throws UniserveException with {@link ErrorCode#ABORTED} if that is known already
   */
  public long end(EndRedefinition end) {
    TableState table = requireCurrent(end.table(), end.after());
    TableDefinition next = table.redefined().next().orElseThrow(() -> changedMeanwhile(table));
    decisions.record(List.of(new TableRedefined(table.id(), next, Optional.empty())));
    table.forEachActor(
        (id, actor) -> {
          if (actor.reshaping().isPresent()) {
            control.reconcile().accept(id);
          }
        });
    return table.id();
  }

  private TableState requireCurrent(long id, long count) {
    TableState table = decisions.state().tables().get(id);
    if (table == null) {
      throw new UniserveException(ErrorCode.NOT_FOUND, "the table was dropped meanwhile");
    }
    if (table.redefined().count() != count) {
      throw changedMeanwhile(table);
    }
    return table;
  }

  private static UniserveException changedMeanwhile(TableState table) {
    return new UniserveException(
        ErrorCode.ABORTED, "table '" + table.definition().name() + "' was changed meanwhile");
  }

  private void requireRedefinable(TableDefinition before, TableDefinition after) {
    Engine<?> engine = control.engines().engine(before.engine());
    if (engine.redefinition().isEmpty()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "table '"
              + before.name()
              + "': the schema of a table of engine '"
              + engine.name()
              + "' stays as it was created");
    }
    if (!after.withSchema(before.schema()).equals(before)) {
      throw UniserveException.invalid(
          "table '" + before.name() + "': nothing but its schema can be changed");
    }
    engine.validate(after);
  }
}
