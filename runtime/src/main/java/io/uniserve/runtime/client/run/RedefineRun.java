package io.uniserve.runtime.client.run;

import io.uniserve.api.Plan;
import io.uniserve.api.Redefinition;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.RandomNames;
import io.uniserve.runtime.client.update.PrimaryCalls;
import io.uniserve.runtime.client.update.UpdateRun;
import io.uniserve.runtime.wire.ControlMessage;
import io.uniserve.runtime.wire.ControlMessage.BeginRedefinition;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.ControlMessage.EndRedefinition;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.Optional;
import java.util.function.Function;

/**
 * Changes the schema of a table: records what it is to become, has every actor become that, records
 * that it is. Until the second record nobody else begins a change, and whoever wants one does the
 * rest of this one first, so a client that dies on the way leaves nothing that another cannot end,
 * and of two changes at once none is lost. That all actors have what the first record says, whoever
 * told them, is what the second record is about; to tell an actor again changes nothing.
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
   * @return what it is then
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if the engine's tables stay as
   *     they are; whatever the change throws; if it is retryable, the change may come to be later
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

  /** Waits until the table is what its actors have been made to fit last. */
  public TableState settled() {
    return settled(client.requireNewest(name, deadline).id());
  }

  /** The same of the table of an identity. Whoever comes first, a change is ended once. */
  private TableState settled(long id) {
    while (true) {
      TableState table = client.requireNewest(name, deadline);
      if (table.id() != id) {
        throw new UniserveException(ErrorCode.NOT_FOUND, "table '" + name + "' was dropped");
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
            // Whoever goes on with the change does no more of it than is left: it is safe again.
            Optional.of(RandomNames.next(client.environment())));
    UpdateRun.ofAllActors(client, table, update, options, deadline);
  }

  /** What there is now, whatever version the plan at hand reads; asked until all have answered. */
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
                    .run(question, deadline, new ReadVersions(client, Token.NONE)));
  }

  private boolean begin(TableState table, Plan.Redefine.Change change) {
    return submit(
        new BeginRedefinition(
            table.id(), table.redefined().count(), change.meanwhile(), change.after()));
  }

  /** False if another came first. */
  private boolean submit(ControlMessage request) {
    try {
      Changed changed = client.routers().submit(request, Changed.class, deadline);
      client
          .subscription()
          .await(
              state -> state.version() >= changed.version(),
              deadline,
              "another schema of table '" + name + "'");
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
