package io.uniserve.runtime.client;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.Position;
import java.util.SortedMap;

/**
 * What an update has become.
 *
 * @param positions for each touched actor, the place of the update in its log
 */
public record UpdateReceipt(SortedMap<ActorId, Position> positions) {}
