package io.uniserve.runtime.wire.cluster;

import io.uniserve.kernel.Address;

/**
 * One server.
 *
 * @param name chosen by its operator; the same over restarts
 * @param address the address where it listens
 * @param incarnation the number of its process's life, from 1
 * @param alive false once its failure was confirmed, until it joins again
 * @param draining true if its copies are moved away and it gets no others
 * @param leaving true if its process is about to end, so that other copies are asked first
 */
public record ServerState(
    String name,
    Address address,
    long incarnation,
    boolean alive,
    boolean draining,
    boolean leaving) {

  /** Creates a server that stays and keeps its copies. */
  public ServerState(String name, Address address, long incarnation, boolean alive) {
    this(name, address, incarnation, alive, false, false);
  }

  /** Returns the same server, no longer alive. */
  ServerState dead() {
    return new ServerState(name, address, incarnation, false, draining, leaving);
  }

  /** Returns the same server, about to be emptied or not. */
  ServerState withDraining(boolean now) {
    return new ServerState(name, address, incarnation, alive, now, leaving);
  }

  /** Returns the same server, about to end. */
  ServerState whichLeaves() {
    return new ServerState(name, address, incarnation, alive, draining, true);
  }
}
