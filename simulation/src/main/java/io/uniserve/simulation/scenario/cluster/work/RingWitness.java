package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.runtime.wire.ring.RingChange;

/** A witness of the changes of a ring that clients ask for. */
public interface RingWitness {
  /** A witness that remembers nothing. */
  RingWitness NONE =
      new RingWitness() {
        @Override
        public void asked(RingChange change) {}

        @Override
        public void answered(RingChange change, long number) {}
      };

  /** Takes a change that a client is about to ask for. */
  void asked(RingChange change);

  /** Takes the number that a client was told of its change. */
  void answered(RingChange change, long number);
}
