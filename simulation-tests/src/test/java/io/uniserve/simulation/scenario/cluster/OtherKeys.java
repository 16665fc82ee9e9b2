package io.uniserve.simulation.scenario.cluster;

import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.UpdateKey;

/** Keys under which an update is taken for another. */
final class OtherKeys {
  private OtherKeys() {}

  /** Returns another key for each of some objects. */
  static UpdateKey of(UpdateKey key, Object by) {
    return new UpdateKey(Hash.of(key.name() + "/" + by), key.bornMillis(), key.body());
  }
}
