package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.codec.Name;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import java.util.List;
import java.util.Optional;

/** What servers are asked about the durable store. */
public sealed interface BackupMessage extends Message {

  /**
   * Asks the primary of an actor to bring everything applied so far into the durable store, and a
   * checkpoint. Answered by {@link BackedUp}.
   *
   * @param actor the actor
   */
  @Name("BackUp")
  record BackUp(ActorId actor) implements BackupMessage {}

  /**
   * It is there.
   *
   * @param position of the last update in the store
   */
  @Name("BackedUp")
  record BackedUp(Position position) implements BackupMessage {}

  /** Asks any server which tables the durable store knows. Answered by {@link StoredTables}. */
  @Name("AskStoredTables")
  record AskStoredTables() implements BackupMessage {}

  /**
   * The tables that the durable store knows, those of other clusters and those that were dropped
   * included.
   *
   * @param tables in no order
   */
  @Name("StoredTables")
  record StoredTables(List<StoredTable> tables) implements BackupMessage {
    /** Copies the list. */
    public StoredTables {
      tables = List.copyOf(tables);
    }
  }

  /**
   * A table that the durable store knows.
   *
   * @param cluster the identity of its cluster
   * @param id its identity there
   * @param definition what it was asked to be
   * @param createdMillis when it was first backed up, in milliseconds since 1970
   * @param droppedMillis when it was dropped, if it was
   */
  record StoredTable(
      String cluster,
      long id,
      TableDefinition definition,
      long createdMillis,
      Optional<Long> droppedMillis) {}

  /**
   * Asks any server what is to be restored of some tables so that they are as of one moment.
   * Answered by {@link RestorePlan}.
   *
   * @param tables their names, or their clusters and identities as {@code cluster/id}
   * @param asOfMillis the moment, in milliseconds since 1970; if absent, all that the store has
   */
  @Name("PlanRestore")
  record PlanRestore(List<String> tables, Optional<Long> asOfMillis) implements BackupMessage {
    /** Copies the list. */
    public PlanRestore {
      tables = List.copyOf(tables);
    }
  }

  /**
   * Asks any server what the durable store has of a table of its cluster whose copies are lost.
   * Answered by {@link RecoveryPlan}.
   *
   * @param table the table's identity
   * @param decided the last transaction that was decided to happen on each actor, by number: an
   *     actor of which the store lacks that is no measure for the others
   */
  @Name("PlanRecovery")
  record PlanRecovery(long table, List<Commitment> decided) implements BackupMessage {
    /** Copies the list. */
    public PlanRecovery {
      decided = List.copyOf(decided);
    }
  }

  /**
   * The stored past of a table: of each actor all, or of all actors one state.
   *
   * @param definition of the table that was backed up
   * @param origin the state
   * @param untilMillis the time of the last update of each actor that is part of it, by number, in
   *     milliseconds since 1970; 0 if it has none
   */
  @Name("RecoveryPlan")
  record RecoveryPlan(TableDefinition definition, TableOrigin origin, List<Long> untilMillis)
      implements BackupMessage {
    /** Copies the list. */
    public RecoveryPlan {
      untilMillis = List.copyOf(untilMillis);
    }
  }

  /**
   * What is to be restored.
   *
   * @param tables in the order in which they were asked for
   */
  @Name("RestorePlan")
  record RestorePlan(List<Planned> tables) implements BackupMessage {
    /** Copies the list. */
    public RestorePlan {
      tables = List.copyOf(tables);
    }

    /**
     * One table.
     *
     * @param definition of the table that was backed up
     * @param origin the state that is to be restored
     */
    public record Planned(TableDefinition definition, TableOrigin origin) {}
  }
}
