package io.uniserve.runtime.client;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.Refusal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The outcome of an ordered update on each of its actors. There are no aborts: what one actor
 * refuses, others may have applied.
 *
 * @param positions the place of the update in the log of each actor
 * @param refusals the engine's reason on each actor on which nothing has changed
 * @param answers the answers of the update's function, as of an {@link UpdateReceipt}; empty if an
 *     actor refused the update
 */
public record OrderedOutcome(
    SortedMap<ActorId, Position> positions,
    SortedMap<ActorId, Refusal> refusals,
    List<Object> answers) {
  /** Copies the parts; any answer may be null. */
  public OrderedOutcome {
    positions = Collections.unmodifiableSortedMap(new TreeMap<>(positions));
    refusals = Collections.unmodifiableSortedMap(new TreeMap<>(refusals));
    answers = Collections.unmodifiableList(new ArrayList<>(answers));
  }

  /** Returns whether no actor refused the update. */
  public boolean accepted() {
    return refusals.isEmpty();
  }
}
