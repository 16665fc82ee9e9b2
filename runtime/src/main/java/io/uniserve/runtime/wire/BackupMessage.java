package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.codec.Since;
import io.uniserve.api.form.Name;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.entry.Position;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The requests to servers about the durable store, and their answers. */
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
   * The answer to {@link BackUp}: everything applied so far is stored.
   *
   * @param position the position of the last update in the store
   */
  @Name("BackedUp")
  record BackedUp(Position position) implements BackupMessage {}

  /**
   * A request to any server for the tables that the durable store knows. Answered by {@link
   * StoredTables}.
   */
  @Name("AskStoredTables")
  record AskStoredTables() implements BackupMessage {}

  /**
   * The tables that the durable store knows, those of other clusters and those that were dropped
   * included.
   *
   * @param tables the tables, in no order
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
   * @param definition the table's
   * @param createdMillis the time at which it was first backed up, in milliseconds since 1970
   * @param droppedMillis the time at which it was dropped, if it was
   */
  record StoredTable(
      String cluster,
      long id,
      TableDefinition definition,
      long createdMillis,
      Optional<Long> droppedMillis) {}

  /**
   * A request to any server for a plan to restore some tables as of one moment. Answered by {@link
   * RestorePlan}.
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
   * A request to any server for the stored past of a table of its cluster whose copies are lost.
   * Answered by {@link RecoveryPlan}.
   *
   * @param table the table's identity
   * @param decided the last transaction that was decided to happen on each actor, by number; an
   *     actor whose stored log lacks its own ends the state for all
   * @param placed the newest number of the table's order that went to each actor, by number; 0 if
   *     none did; an actor whose stored log lacks its own ends the state for all
   * @param origin the origin of the table, if it was restored
   */
  @Name("PlanRecovery")
  record PlanRecovery(
      long table,
      List<Commitment> decided,
      @Since(2) List<Long> placed,
      @Since(2) Optional<TableOrigin> origin)
      implements BackupMessage {
    /** Copies the lists. */
    public PlanRecovery {
      decided = List.copyOf(decided);
      placed = List.copyOf(placed);
    }
  }

  /**
   * The stored past of a table: all that each actor has, or one state of all actors.
   *
   * @param definition the definition of the table that was backed up
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
   * The plan of a restore.
   *
   * @param tables the tables, in the order in which they were asked for
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
     * @param definition the definition of the table that was backed up
     * @param origin the state that is to be restored
     * @param leftOut the first update that an ordered table lacks, though the store has a part of
     *     it
     */
    public record Planned(
        TableDefinition definition, TableOrigin origin, @Since(2) Optional<LeftOut> leftOut) {}
  }

  /**
   * The end of an ordered table that is restored: the first update that is left out, and all after
   * it in the order.
   *
   * @param number its number
   * @param timeMillis its time, in milliseconds since 1970, if the store has that
   * @param actor an actor that was to receive it, and whose stored data lacks it
   */
  record LeftOut(long number, Optional<Long> timeMillis, int actor) {
    /** Returns the same cause of another end. */
    public LeftOut at(long other) {
      return other == number ? this : new LeftOut(other, Optional.empty(), actor);
    }

    /** Describes it for people. */
    @Override
    public String toString() {
      return "update "
          + number
          + timeMillis.map(millis -> " of " + Instant.ofEpochMilli(millis)).orElse("")
          + " of actor "
          + actor;
    }
  }
}
