package io.uniserve.runtime.store.backup;

import io.uniserve.api.ActorId;

/**
 * Whose backups: several clusters may share a store, and number their tables alike.
 *
 * @param cluster the cluster's identity
 * @param actor which of its actors
 */
public record BackupPlace(String cluster, ActorId actor) {
  @Override
  public String toString() {
    return "actor " + actor + " of cluster " + cluster;
  }
}
