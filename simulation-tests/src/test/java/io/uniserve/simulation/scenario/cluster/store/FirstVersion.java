package io.uniserve.simulation.scenario.cluster.store;

import java.util.Arrays;

/** The runtime's data beside a checkpoint, as programs wrote it that had no checksums yet. */
public final class FirstVersion {
  /** The number of bytes that were added since: each a 0, for there is nothing. */
  public static final int ADDED_BYTES = 3;

  private FirstVersion() {}

  /**
   * Returns the data of an actor without ordered updates and streams in the first version of its
   * form. The version is the second byte. Data in that version stays as it is.
   */
  public static byte[] of(byte[] meta) {
    if (meta[1] == 1) {
      return meta;
    }
    byte[] first = Arrays.copyOf(meta, meta.length - ADDED_BYTES);
    byte[] added = Arrays.copyOfRange(meta, first.length, meta.length);
    if (meta[1] != 2 || !Arrays.equals(added, new byte[ADDED_BYTES])) {
      throw new IllegalArgumentException("not of version 2, or with more than version 1 has");
    }
    first[1] = 1;
    return first;
  }
}
