package io.uniserve.runtime.client.group;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.Position;
import java.util.List;
import java.util.SortedMap;

/**
 * The reports of the actors of an update.
 *
 * @param actors the answer of each touched actor
 * @param version the version of the table that has the update, if the table is one of transactions,
 *     otherwise 0
 */
public record Reached(SortedMap<ActorId, Part> actors, long version) {
  /**
   * The report of one actor.
   *
   * @param position the place of the update in its log
   * @param answers the answers of the update's function
   */
  public record Part(Position position, List<GivenAnswer> answers) {}
}
