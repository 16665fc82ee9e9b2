package io.uniserve.simulation.scenario.cluster;

/**
 * What happens in a run besides its faults.
 *
 * @param updaters threads of each client that update
 * @param readers threads of each client that query
 * @param definers threads of each client that make and drop other tables
 * @param movers threads of each client that move copies and drain servers
 * @param storeFaults 1 if the durable store may fail, too; 0 if it does not
 * @param millis for how long things go wrong
 */
record Work(int updaters, int readers, int definers, int movers, int storeFaults, int millis) {
  static final Work USUAL = new Work(2, 2, 1, 1, 1, 12_000);
}
