package io.uniserve.runtime.store.backup;

import io.uniserve.api.ActorId;

/**
 * The owner of backups. Several clusters may share a store, and number their tables alike.
 *
 * @param cluster the cluster's identity
 * @param actor one of its actors
 */
public record BackupPlace(String cluster, ActorId actor) {
  @Override
  public String toString() {
    return "actor " + actor + " of cluster " + cluster;
  }
}
