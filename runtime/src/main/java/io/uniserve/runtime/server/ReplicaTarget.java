package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.runtime.store.BackupPlace;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import java.util.Optional;

/**
 * Which actor a replica is a copy of.
 *
 * @param cluster the identity of its cluster
 * @param id its identity
 * @param definition what its table was created as
 * @param origin what its table was restored from
 */
record ReplicaTarget(
    String cluster, ActorId id, TableDefinition definition, Optional<TableOrigin> origin) {
  /** The actor of this number that is made by a split of this one. */
  ReplicaTarget part(int number) {
    ActorId part = new ActorId(id.table(), number);
    return new ReplicaTarget(cluster, part, definition, Optional.empty());
  }

  /** Where the durable store has it. */
  BackupPlace place() {
    return new BackupPlace(cluster, id);
  }

  /** Whether its table is to be found in the durable store. */
  boolean backedUp() {
    return backedUp(definition);
  }

  /** Whether such a table is to be found in the durable store. */
  static boolean backedUp(TableDefinition definition) {
    return definition.durability() != Durability.NONE;
  }

  @Override
  public String toString() {
    return "actor " + id.number() + " of table '" + definition.name() + "'";
  }
}
