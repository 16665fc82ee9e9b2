package io.uniserve.runtime.server.actor;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.runtime.store.backup.BackupPlace;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import java.util.Optional;

/**
 * The actor that a replica is a copy of.
 *
 * @param cluster the identity of its cluster
 * @param id its identity
 * @param definition its table's, at creation
 * @param origin the origin of its table, if that was restored
 */
public record ReplicaTarget(
    String cluster, ActorId id, TableDefinition definition, Optional<TableOrigin> origin) {
  /** Returns the actor with this number that a split makes of this one. */
  public ReplicaTarget part(int number) {
    ActorId part = new ActorId(id.table(), number);
    return new ReplicaTarget(cluster, part, definition, Optional.empty());
  }

  /** Returns the actor's place in the durable store. */
  public BackupPlace place() {
    return new BackupPlace(cluster, id);
  }

  /** Returns whether the actor's table is backed up. */
  public boolean backedUp() {
    return backedUp(definition);
  }

  /** Returns whether such a table is backed up. */
  public static boolean backedUp(TableDefinition definition) {
    return definition.durability() != Durability.NONE;
  }

  @Override
  public String toString() {
    return "actor " + id.number() + " of table '" + definition.name() + "'";
  }
}
