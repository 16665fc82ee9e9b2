package io.uniserve.runtime.client;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.entry.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/**
 * The result of an update.
 *
 * @param positions the place of the update in the log of each touched actor
 * @param version the version of the table that has the update, if the table is one of transactions,
 *     otherwise 0
 * @param answers the answers of the update's function: a value for each record, in the order of the
 *     records, or the values for the whole, in the order of the actors that gave them. An update
 *     that was applied before, under the same key, has the answers of that time. Empty if the
 *     function answers nothing
 */
public record UpdateReceipt(
    SortedMap<ActorId, Position> positions, long version, List<Object> answers) {
  /** Copies the answers, of which any may be null. */
  public UpdateReceipt {
    answers = Collections.unmodifiableList(new ArrayList<>(answers));
  }

  /** Makes the result of an update that answers nothing. */
  public UpdateReceipt(SortedMap<ActorId, Position> positions, long version) {
    this(positions, version, List.of());
  }
}
