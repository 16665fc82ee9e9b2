package io.uniserve.simulation.scan;

/** A scheduler, which gives out slots. */
interface Granting {
  /** Learns that a scan may want slots, or others than before. */
  void changed(RunningScan scan);

  /** Takes back a slot. */
  void released(RunningScan scan, int server);
}
