package io.uniserve.simulation.scenario.cluster.work;

/**
 * The work in a run besides its faults.
 *
 * @param updaters threads of each client that update
 * @param readers threads of each client that query
 * @param definers threads of each client that make and drop other tables
 * @param movers threads of each client that move copies and drain servers
 * @param storeFaults 1 if the durable store may fail, too; 0 if it does not
 * @param millis the time with faults
 * @param placing the times at which placement policies decide
 * @param splitters threads of each client that split actors
 * @param pace the sequence of faults
 * @param operators 1 if an operator accepts losses of tables that wait for that; 0 if not
 * @param rot 1 if objects of the durable store are damaged during the run; 0 if not
 * @param rings threads of each client that change the ring that the table is placed on; 0 if it is
 *     placed by policies
 * @param scanners threads of each client that scan
 * @param streams 1 if a topic is read into the table, 0 if not
 * @param sessions threads of each client that have sessions with an ordered table
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
    int operators,
    int rot,
    int rings,
    int scanners,
    int streams,
    int sessions) {
  /** Creates work without splits. */
  public Work(
      int updaters,
      int readers,
      int definers,
      int movers,
      int storeFaults,
      int millis,
      Placing placing) {
    this(
        updaters,
        readers,
        definers,
        movers,
        storeFaults,
        millis,
        placing,
        0,
        Pace.AT_ONCE,
        0,
        0,
        0,
        0,
        0,
        1);
  }

  /** The work of most runs. */
  public static final Work USUAL = new Work(2, 2, 1, 1, 1, 8_000, Placing.NEVER);

  /** Returns the same work with other placing. */
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
        operators,
        rot,
        rings,
        scanners,
        streams,
        sessions);
  }

  /** Returns the same work without threads that make other tables, or other schemas. */
  public Work withoutDefiners() {
    return new Work(
        updaters,
        readers,
        0,
        movers,
        storeFaults,
        millis,
        placing,
        splitters,
        pace,
        operators,
        rot,
        rings,
        scanners,
        streams,
        sessions);
  }

  /** Returns the same work without threads that move copies, or drain servers. */
  Work withoutMovers() {
    return new Work(
        updaters,
        readers,
        definers,
        0,
        storeFaults,
        millis,
        placing,
        splitters,
        pace,
        operators,
        rot,
        rings,
        scanners,
        streams,
        sessions);
  }

  /** Returns the same work with another number of splitters. */
  public Work withSplitters(int other) {
    return new Work(
        updaters,
        readers,
        definers,
        movers,
        storeFaults,
        millis,
        placing,
        other,
        pace,
        operators,
        rot,
        rings,
        scanners,
        streams,
        sessions);
  }

  /**
   * Returns the same work with faults one by one, at this pace, and a durable store that does not
   * fail.
   */
  Work oneByOne(Pace other) {
    return new Work(
        updaters, readers, definers, movers, 0, millis, placing, splitters, other, operators, rot,
        rings, scanners, streams, sessions);
  }

  /** Returns the same work with an operator who accepts losses. */
  Work withOperator() {
    return new Work(
        updaters,
        readers,
        definers,
        movers,
        storeFaults,
        millis,
        placing,
        splitters,
        pace,
        1,
        rot,
        rings,
        scanners,
        streams,
        sessions);
  }

  /** Returns the same work while objects of the durable store are damaged. */
  Work withRot() {
    return new Work(
        updaters,
        readers,
        definers,
        movers,
        storeFaults,
        millis,
        placing,
        splitters,
        pace,
        operators,
        1,
        rings,
        scanners,
        streams,
        sessions);
  }

  /** Returns the same work on a ring, which this many threads of each client change. */
  Work withRings(int threads) {
    return new Work(
        updaters,
        readers,
        definers,
        movers,
        storeFaults,
        millis,
        placing,
        splitters,
        pace,
        operators,
        rot,
        threads,
        scanners,
        streams,
        sessions);
  }

  /** Returns the same work with threads that scan. */
  Work withScanners(int threads) {
    return new Work(
        updaters,
        readers,
        definers,
        movers,
        storeFaults,
        millis,
        placing,
        splitters,
        pace,
        operators,
        rot,
        rings,
        threads,
        streams,
        sessions);
  }

  /** Returns the same work while a topic is read into the table. */
  public Work withStream() {
    return new Work(
        updaters,
        readers,
        definers,
        movers,
        storeFaults,
        millis,
        placing,
        splitters,
        pace,
        operators,
        rot,
        rings,
        scanners,
        1,
        sessions);
  }

  /**
   * Returns the same work with more sessions at once, and fewer updates and reads outside.
   *
   * @param threads the number of sessions of each client
   * @param itsMillis the time with faults; a read sees all updates before, so it costs more the
   *     longer the run is
   */
  public Work withSessions(int threads, int itsMillis) {
    return new Work(
        1,
        1,
        0,
        0,
        storeFaults,
        itsMillis,
        placing,
        splitters,
        pace,
        operators,
        rot,
        rings,
        scanners,
        streams,
        threads);
  }
}
