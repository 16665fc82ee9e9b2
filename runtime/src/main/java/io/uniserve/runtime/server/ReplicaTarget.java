package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.TableDefinition;

/**
 * Which actor a replica is a copy of.
 *
 * @param id its identity
 * @param definition its table
 */
record ReplicaTarget(ActorId id, TableDefinition definition) {
  @Override
  public String toString() {
    return "actor " + id.number() + " of table '" + definition.name() + "'";
  }
}
