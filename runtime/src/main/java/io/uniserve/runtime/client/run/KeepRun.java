package io.uniserve.runtime.client.run;

import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.plan.OperatorPlan;
import io.uniserve.runtime.client.tables.NewTables;
import io.uniserve.runtime.wire.ControlMessage.CreateTable;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import java.util.Optional;

/**
 * The keeping of a plan's output as a new table. The servers that have the output store it, and
 * then the table is made of that, as in a restore. So the table exists wholly or not at all, even
 * if a process dies in between.
 */
final class KeepRun {
  private final ClientContext client;
  private final Plan.Keep keep;
  private final Deadline deadline;

  KeepRun(ClientContext client, Plan.Keep keep, Deadline deadline) {
    this.client = client;
    this.keep = keep;
    this.deadline = deadline;
  }

  /**
   * Keeps the output; returns once every copy of the new table is readable.
   *
   * @param profiles takes the figures, if they are wanted
   * @throws UniserveException if there is no such table then; or if it cannot be found out whether
   *     there is, with {@link ErrorCode#DEADLINE_EXCEEDED}
   */
  void run(ReadPoints points, Optional<ProfileList> profiles) {
    requirePossible(keep.table());
    OperatorPlan.Answer<TableOrigin> stored =
        new OperatorPlan(new PlanSurroundings(client, points)).keep(keep, deadline);
    profiles.ifPresent(list -> list.add(stored.profile()));
    new NewTables(client)
        .create(new CreateTable(keep.table(), Optional.of(stored.result())), deadline);
  }

  /** Refuses, before any work, what the coordinator would refuse in the end. */
  private void requirePossible(TableDefinition table) {
    if (client.state().table(table.name()).isPresent()) {
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS, "there already is a table '" + table.name() + "'");
    }
    client.engines().engine(table.engine()).validate(table);
  }
}
