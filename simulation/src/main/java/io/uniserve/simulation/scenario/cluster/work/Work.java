package io.uniserve.simulation.scenario.cluster.work;

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
 * @param splitters threads of each client that split actors
 * @param pace how faults follow each other
 * @param operators 1 if somebody accepts losses, of tables that wait for it; 0 if nobody does
 */
public record Work(
    int updaters,
    int readers,
    int definers,
    int movers,
    int storeFaults,
    int millis,
    Placing placing,
    int splitters,
    Pace pace,
    int operators) {
  /** Without splits. */
  public Work(
      int updaters,
      int readers,
      int definers,
      int movers,
      int storeFaults,
      int millis,
      Placing placing) {
    this(updaters, readers, definers, movers, storeFaults, millis, placing, 0, Pace.AT_ONCE, 0);
  }

  /** What most runs do. */
  public static final Work USUAL = new Work(2, 2, 1, 1, 1, 8_000, Placing.NEVER);

  /** The same with other placing. */
  Work with(Placing other) {
    return new Work(
        updaters,
        readers,
        definers,
        movers,
        storeFaults,
        millis,
        other,
        splitters,
        pace,
        operators);
  }

  /** The same without anybody who makes other tables, or other schemas. */
  public Work withoutDefiners() {
    return new Work(
        updaters, readers, 0, movers, storeFaults, millis, placing, splitters, pace, operators);
  }

  /** The same without anybody who moves copies, or drains servers. */
  Work withoutMovers() {
    return new Work(
        updaters, readers, definers, 0, storeFaults, millis, placing, splitters, pace, operators);
  }

  /** The same with other splitters. */
  public Work withSplitters(int other) {
    return new Work(
        updaters, readers, definers, movers, storeFaults, millis, placing, other, pace, operators);
  }

  /** The same with faults one by one, at such a pace, and a durable store that does not fail. */
  Work oneByOne(Pace other) {
    return new Work(
        updaters, readers, definers, movers, 0, millis, placing, splitters, other, operators);
  }

  /** The same with somebody who accepts losses. */
  Work withOperator() {
    return new Work(
        updaters, readers, definers, movers, storeFaults, millis, placing, splitters, pace, 1);
  }
}
