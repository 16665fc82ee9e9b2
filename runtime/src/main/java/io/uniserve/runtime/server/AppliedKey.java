package io.uniserve.runtime.server;

import io.uniserve.runtime.wire.Hash;
import io.uniserve.runtime.wire.Position;
import java.util.List;

/**
 * An update that was applied, as its idempotency key tells it.
 *
 * @param name of the key
 * @param body of the update, see {@link io.uniserve.runtime.wire.UpdateKey}
 * @param position where it was applied
 * @param untilMillis when it is forgotten, by the time of the actor's log
 * @param parts the actors, each of which became part of this one, that alone have applied it; none
 *     if all of this one has
 */
record AppliedKey(Hash name, Hash body, Position position, long untilMillis, List<Integer> parts) {
  /** Tells whether all of the actor has applied it. */
  boolean whole() {
    return parts.isEmpty();
  }

  /** The same, of some parts. */
  AppliedKey ofParts(List<Integer> some) {
    return new AppliedKey(name, body, position, untilMillis, some);
  }
}
