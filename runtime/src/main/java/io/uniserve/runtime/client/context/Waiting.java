package io.uniserve.runtime.client.context;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;

/** A description of what an actor waits for that has no copy to answer. */
public final class Waiting {
  private Waiting() {}

  /**
   * Returns the words, to follow those that say what is missing; empty text if the actor does not
   * wait.
   */
  public static String words(ClusterState state, ActorId id) {
    if (!state.waits(id)) {
      return "";
    }
    ActorState actor = state.actor(id).orElseThrow();
    return actor.complete().isEmpty()
        ? ": all its complete copies are lost, and an operator may recover the table"
        : ": it waits for "
            + String.join(" or ", actor.complete())
            + " to come back with its disk, or for an operator to recover the table";
  }
}
