package io.uniserve.simulation.scenario.cluster;

import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;

/** A store that returns log objects with one bit changed, without verifying their checksum. */
public final class RotsUnnoticed extends ForwardingStore {
  public RotsUnnoticed(DurableStore store) {
    super(store);
  }

  @Override
  public byte[] get(String key, int sizeBytesMax) {
    byte[] bytes = super.get(key, sizeBytesMax);
    if (key.contains("/log-")) {
      // The bit is in the last record, which ends the object.
      bytes[bytes.length - 1] ^= 2;
    }
    return bytes;
  }
}
