package io.uniserve.simulation.scenario.cluster;

/** Which answers may be out of date, because copies gave them that must not be read any more. */
interface Outdated {
  /** A moment, to be given to {@link #outdatedSince}. */
  long mark();

  /** Whether a client got an answer since a mark that may be out of date. */
  boolean outdatedSince(long mark, String client, int actor);
}
