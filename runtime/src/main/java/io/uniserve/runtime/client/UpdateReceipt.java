package io.uniserve.runtime.client;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.entry.Position;
import java.util.SortedMap;

/**
 * The result of an update.
 *
 * @param positions the place of the update in the log of each touched actor
 * @param version the version of the table that has the update, if the table is one of transactions,
 *     otherwise 0
 */
public record UpdateReceipt(SortedMap<ActorId, Position> positions, long version) {}
