package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.api.Consistency;

/**
 * The answers that may be out of date, because copies gave them that must not be read any more.
 * Answers of an eventual table may be: its servers answer whether they reach a controller or not.
 * Others answer under a lease, which ends before the cluster goes on without them.
 */
public interface Outdated {
  /** The value if no answer may be out of date. */
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

  /** Returns the outdated answers that a level allows, of those that were seen. */
  static Outdated of(Consistency level, Outdated seen) {
    return level.readsSeeAcknowledged() ? NEVER : seen;
  }

  /** Returns a mark of the present moment, for {@link #outdatedSince}. */
  long mark();

  /** Returns whether a client got an answer since a mark that may be out of date. */
  boolean outdatedSince(long mark, String client, int actor);
}
