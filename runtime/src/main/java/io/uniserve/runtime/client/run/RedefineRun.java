package io.uniserve.runtime.client.run;

import io.uniserve.api.Plan;
import io.uniserve.api.Redefinition;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ControlChanges;
import io.uniserve.runtime.client.context.RandomNames;
import io.uniserve.runtime.client.update.PrimaryCalls;
import io.uniserve.runtime.client.update.UpdateRun;
import io.uniserve.runtime.wire.ControlMessage;
import io.uniserve.runtime.wire.ControlMessage.BeginRedefinition;
import io.uniserve.runtime.wire.ControlMessage.EndRedefinition;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.Optional;
import java.util.function.Function;

/**
 * A change of a table's schema. It records the next schema, has every actor adopt it, and records
 * that the table has it. Until the second record nobody else begins a change; a client that wants
 * one completes this one first. So a client that dies on the way leaves nothing that another cannot
 * complete, and of two changes at once none is lost. The second record states that all actors have
 * the schema of the first, no matter which client told them. To tell an actor again changes
 * nothing.
 */
public final class RedefineRun {
  private final ClientContext client;
  private final String name;
  private final Deadline deadline;

  public RedefineRun(ClientContext client, String name, Deadline deadline) {
    this.client = client;
    this.name = name;
    this.deadline = deadline;
  }

  /**
   * Changes the table.
   *
   * @param change see {@link Plan.Redefine}
   * @return its definition then
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if the engine's tables keep their
   *     schemas; whatever the change throws; if it is retryable, the change may come true later
   */
  TableDefinition run(Function<TableDefinition, Optional<Plan.Redefine.Change>> change) {
    while (true) {
      TableState table = settled();
      Optional<Plan.Redefine.Change> wanted = change.apply(table.definition());
      if (wanted.isEmpty()) {
        return table.definition();
      }
      Plan.Redefine.Change begun = wanted.get();
      if (begin(table, begun)) {
        settled(table.id());
        return begun.after();
      }
    }
  }

  /** Completes a change under way, and returns the table with the schema that its actors have. */
  public TableState settled() {
    return settled(client.requireNewest(name, deadline).id());
  }

  /**
   * Completes a change of the table with an identity. If several clients do so, it is completed
   * once.
   */
  private TableState settled(long id) {
    while (true) {
      TableState table = client.requireNewest(name, deadline);
      if (table.id() != id) {
        throw client.state().gone(id);
      }
      Redefinition engine = redefinition(table.definition());
      Optional<TableDefinition> next = table.redefined().next();
      if (next.isPresent()) {
        become(table, engine.become(next.get()));
        submit(new EndRedefinition(id, table.redefined().count()));
        continue;
      }
      Redefinition.Found found = look(table, engine.look(table.definition()));
      if (engine.revision(found.newest()) > engine.revision(table.definition())) {
        begin(table, new Plan.Redefine.Change(table.definition(), found.newest()));
      } else if (found.everywhere()) {
        return table;
      } else {
        become(table, engine.become(table.definition()));
      }
    }
  }

  private void become(TableState table, UpdateFunction<?, ?> update) {
    UpdateOptions options =
        new UpdateOptions(
            deadline.remaining(client.environment().clock()),
            UpdateOptions.Acknowledgement.ALL_COPIES,
            // A client that continues the change does only what is left of it, so it is safe again.
            Optional.of(RandomNames.next(client.environment())));
    UpdateRun.ofAllActors(client, table, update, options, deadline);
  }

  /**
   * Asks all actors for their newest data, whatever version the present plan reads, until all have
   * answered.
   */
  private Redefinition.Found look(TableState table, Plan<Redefinition.Found> question) {
    return new PrimaryCalls(client, table, deadline)
        .untilDeadline(
            () ->
                new PlanRun(
                        client,
                        new Attempts.Changes(),
                        Optional.empty(),
                        Optional.empty(),
                        true,
                        Optional.empty())
                    .run(
                        question,
                        deadline,
                        new ReadPoints(client, QueryOptions.DEFAULT, deadline)));
  }

  private boolean begin(TableState table, Plan.Redefine.Change change) {
    return submit(
        new BeginRedefinition(
            table.id(), table.redefined().count(), change.meanwhile(), change.after()));
  }

  /** Submits a record; returns false if another came first. */
  private boolean submit(ControlMessage request) {
    try {
      new ControlChanges(client).make(request, deadline, "another schema of table '" + name + "'");
      return true;
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.ABORTED) {
        throw e;
      }
      return false;
    }
  }

  private Redefinition redefinition(TableDefinition table) {
    return client
        .engines()
        .engine(table.engine())
        .redefinition()
        .orElseThrow(
            () ->
                new UniserveException(
                    ErrorCode.UNSUPPORTED,
                    "table '"
                        + name
                        + "': the schema of a table of engine '"
                        + table.engine()
                        + "' stays as it was created"));
  }
}
