package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.api.Consistency;

/**
 * Which answers may be out of date, because copies gave them that must not be read any more. Those
 * of an eventual table may: its servers answer whether they reach a router or not. Others answer
 * under a lease, which ends before the cluster goes on without them.
 */
public interface Outdated {
  /** No answer may be. */
  Outdated NEVER =
      new Outdated() {
        @Override
        public long mark() {
          return 0;
        }

        @Override
        public boolean outdatedSince(long mark, String client, int actor) {
          return false;
        }
      };

  /** As a level allows it, of answers that somebody has seen. */
  static Outdated of(Consistency level, Outdated seen) {
    return level.readsSeeAcknowledged() ? NEVER : seen;
  }

  /** A moment, to be given to {@link #outdatedSince}. */
  long mark();

  /** Whether a client got an answer since a mark that may be out of date. */
  boolean outdatedSince(long mark, String client, int actor);
}
