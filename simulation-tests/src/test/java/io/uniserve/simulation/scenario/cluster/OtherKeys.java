package io.uniserve.simulation.scenario.cluster;

import io.uniserve.runtime.wire.TransactionMessage.Member;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.UpdateKey;

/** Keys under which an update is taken for another. */
final class OtherKeys {
  private OtherKeys() {}

  /** Returns another key for each of some objects. */
  static UpdateKey of(UpdateKey key, Object by) {
    return new UpdateKey(Hash.of(key.name() + "/" + by), key.bornMillis(), key.body());
  }

  /** Returns a request to prepare the same updates under other keys. */
  static PrepareUpdate of(PrepareUpdate prepare, Object by) {
    return PrepareUpdate.of(
        prepare.actor(),
        prepare.generation(),
        prepare.transaction(),
        prepare.members().stream()
            .map(member -> new Member(of(member.key(), by), member.function(), member.records()))
            .toList());
  }
}
