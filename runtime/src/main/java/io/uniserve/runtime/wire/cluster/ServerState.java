package io.uniserve.runtime.wire.cluster;

import io.uniserve.kernel.Address;

/**
 * One server.
 *
 * @param name chosen by whoever starts it; the same over restarts
 * @param address where it listens
 * @param incarnation which life of its process this is, from 1
 * @param alive false once its failure was confirmed, until it joins again
 * @param draining whether its copies are moved away and it gets no others
 * @param leaving whether its process is about to end, so that other copies are asked first
 */
public record ServerState(
    String name,
    Address address,
    long incarnation,
    boolean alive,
    boolean draining,
    boolean leaving) {

  /** A server that stays and keeps what it has. */
  public ServerState(String name, Address address, long incarnation, boolean alive) {
    this(name, address, incarnation, alive, false, false);
  }

  /** The same server, no longer alive. */
  ServerState dead() {
    return new ServerState(name, address, incarnation, false, draining, leaving);
  }

  /** The same server, about to be emptied or not. */
  ServerState withDraining(boolean now) {
    return new ServerState(name, address, incarnation, alive, now, leaving);
  }

  /** The same server, about to end. */
  ServerState whichLeaves() {
    return new ServerState(name, address, incarnation, alive, draining, true);
  }
}
