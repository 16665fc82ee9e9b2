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
 * @param placing when placement policies decide
 */
public record Work(
    int updaters,
    int readers,
    int definers,
    int movers,
    int storeFaults,
    int millis,
    Placing placing) {
  /** What most runs do. */
  public static final Work USUAL = new Work(2, 2, 1, 1, 1, 12_000, Placing.NEVER);

  /** The same with other placing. */
  Work with(Placing other) {
    return new Work(updaters, readers, definers, movers, storeFaults, millis, other);
  }
}
