package io.uniserve.bench.elasticity;

/**
 * One query.
 *
 * @param second the moment at which it was due
 * @param endSecond the moment at which its answer arrived
 * @param failure a description of the failure; empty if there was none
 */
record Sent(double second, double endSecond, String failure) {
  /** Returns the latency in milliseconds, from the moment at which the query was due. */
  double millis() {
    return (endSecond - second) * 1e3;
  }
}
