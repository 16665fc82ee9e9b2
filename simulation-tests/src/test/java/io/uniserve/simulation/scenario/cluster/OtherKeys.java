package io.uniserve.simulation.scenario.cluster;

import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.UpdateKey;

/** Keys by which an update is taken for another. */
final class OtherKeys {
  private OtherKeys() {}

  /** Another key for each of some things. */
  static UpdateKey of(UpdateKey key, Object by) {
    return new UpdateKey(Hash.of(key.name() + "/" + by), key.bornMillis(), key.body());
  }
}
