package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.codec.Name;
import io.uniserve.kernel.Message;
import java.util.List;
import java.util.Optional;

/** What the coordinator is asked about placement (DPA §4.4). */
public sealed interface PlacementMessage extends Message {
  /** Actors of one decision whose copies may change; the rest has to wait for the next. */
  int CHANGES_MAX = 1_000;

  /**
   * Asks for a decision of a placement policy, and again until there is one. Answered by {@link
   * PlacementUndecided} or {@link PlacementDecided}.
   *
   * @param request a name that no other request has
   * @param policy which; the cluster's if none is named
   * @param apply whether it is to be done
   */
  @Name("DecidePlacement")
  record DecidePlacement(String request, Optional<String> policy, boolean apply)
      implements PlacementMessage {}

  /** The policy still computes. */
  @Name("PlacementUndecided")
  record PlacementUndecided() implements PlacementMessage {}

  /**
   * What a policy wants.
   *
   * @param policy which
   * @param summary what the assignment achieves, for people
   * @param changes the actors whose copies change, those with the greatest load first
   * @param left how many more actors would change but for {@link #CHANGES_MAX} and for moves that
   *     are under way
   * @param applied whether the changes are recorded
   */
  @Name("PlacementDecided")
  record PlacementDecided(
      String policy, String summary, List<Change> changes, int left, boolean applied)
      implements PlacementMessage {}

  /**
   * An actor whose copies change.
   *
   * @param actor which
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
