package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.form.Name;
import io.uniserve.kernel.Message;
import java.util.List;
import java.util.Optional;

/** The requests to the coordinator about placement, and their answers (DPA §4.4). */
public sealed interface PlacementMessage extends Message {
  /**
   * The largest number of actors whose copies one decision changes; the rest waits for the next.
   */
  int CHANGES_MAX = 1_000;

  /**
   * A request for a decision of a placement policy, sent again until there is one. Answered by
   * {@link PlacementUndecided} or {@link PlacementDecided}.
   *
   * @param request a name that no other request has
   * @param policy the policy's name; the cluster's policy if absent
   * @param apply true if the decision is to be carried out
   */
  @Name("DecidePlacement")
  record DecidePlacement(String request, Optional<String> policy, boolean apply)
      implements PlacementMessage {}

  /** The answer that the policy still computes. */
  @Name("PlacementUndecided")
  record PlacementUndecided() implements PlacementMessage {}

  /**
   * The decision of a policy.
   *
   * @param policy its name
   * @param summary a summary of what the assignment achieves, for people
   * @param changes the actors whose copies change, those with the greatest load first
   * @param left the number of actors that would change besides, without {@link #CHANGES_MAX} and
   *     moves that are under way
   * @param applied true if the changes are recorded
   */
  @Name("PlacementDecided")
  record PlacementDecided(
      String policy, String summary, List<Change> changes, int left, boolean applied)
      implements PlacementMessage {}

  /**
   * An actor whose copies change.
   *
   * @param actor the actor
   * @param from the servers that hold it, the primary first
   * @param to the servers that are to hold it
   * @param why the policy's reason, for people
   */
  record Change(ActorId actor, List<String> from, List<String> to, String why) {
    /** Copies the lists. */
    public Change {
      from = List.copyOf(from);
      to = List.copyOf(to);
    }
  }
}
