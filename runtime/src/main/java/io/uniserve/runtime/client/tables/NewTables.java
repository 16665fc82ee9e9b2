package io.uniserve.runtime.client.tables;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ControlChanges;
import io.uniserve.runtime.client.tables.CopyTroubles.CopyTrouble;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.ControlMessage.CreateTable;
import io.uniserve.runtime.wire.ControlMessage.DropTable;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.function.Consumer;

/** The creation of tables, seen from a client. */
public record NewTables(ClientContext client) {

  /** The time for which servers are not asked, since most tables are created by then. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private static final Duration DROP_TIMEOUT = Duration.ofSeconds(10);

  /**
   * Creates a table; returns once every copy is readable. A table with a copy that cannot be made
   * is dropped again.
   *
   * @throws UniserveException what keeps a copy from being made, with its engine and server
   */
  public TableState create(CreateTable create, Deadline deadline) {
    TableDefinition definition = create.definition();
    Changed changed = client.controllers().submit(create, Changed.class, deadline);
    return await(
        changed,
        deadline,
        "table '" + definition.name() + "' to be made on all its servers",
        trouble -> {
          throw new UniserveException(
              trouble.trouble().code(),
              "table '"
                  + definition.name()
                  + "' cannot be made by engine '"
                  + definition.engine()
                  + "': "
                  + trouble
                  + drop(definition.name(), changed));
        });
  }

  /**
   * Drops a half-made table, and waits until this client knows that it is gone; returns words on
   * the result.
   */
  private String drop(String name, Changed created) {
    String what = "the end of table '" + name + "'";
    Deadline deadline = Deadline.after(client.environment().clock(), DROP_TIMEOUT);
    ControlChanges changes = new ControlChanges(client);
    try {
      if (changes.known(created, deadline, what).tables().containsKey(created.table())) {
        changes.make(new DropTable(name), deadline, what);
      }
      return "; it was dropped again";
    } catch (UniserveException e) {
      return "; it could not be dropped again: " + e.getMessage();
    }
  }

  /**
   * Waits until every copy is readable.
   *
   * @param what names the awaited state
   */
  public TableState await(Changed changed, Deadline deadline, String what) {
    return await(changed, deadline, what, trouble -> {});
  }

  private TableState await(
      Changed changed, Deadline deadline, String what, Consumer<CopyTrouble> hopeless) {
    while (true) {
      Clock clock = client.environment().clock();
      boolean last = deadline.remaining(clock).compareTo(LOOK) <= 0;
      try {
        return ready(changed, last ? deadline : Deadline.after(clock, LOOK), what);
      } catch (UniserveException e) {
        if (e.code() != ErrorCode.DEADLINE_EXCEEDED) {
          throw e;
        }
        CopyTroubles troubles =
            CopyTroubles.of(
                changed.table(), new ServerStatuses(client).ask(Deadline.after(clock, LOOK)));
        troubles.lasting().ifPresent(hopeless);
        if (last) {
          throw e.saying(e.getMessage() + troubles.words());
        }
      }
    }
  }

  private TableState ready(Changed changed, Deadline deadline, String what) {
    ClusterState ready =
        client
            .subscription()
            .await(
                state ->
                    state.version() >= changed.version()
                        && usable(state.tables().get(changed.table())),
                deadline,
                what);
    TableState table = ready.tables().get(changed.table());
    if (table == null) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "the table was dropped during the wait for " + what);
    }
    return table;
  }

  /** Returns whether a table is usable, or was dropped, so that it is not waited for. */
  private static boolean usable(TableState table) {
    return table == null
        || table.actors().stream()
            .allMatch(
                actor -> actor.copies().stream().allMatch(copy -> copy.status() == Status.READY));
  }
}
