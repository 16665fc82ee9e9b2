package io.uniserve.bench.elasticity;

/**
 * One query.
 *
 * @param second at which it was to be sent
 * @param endSecond at which its answer was there
 * @param failure what went wrong; empty if nothing did
 */
record Sent(double second, double endSecond, String failure) {
  /** From the moment at which it was to be sent. */
  double millis() {
    return (endSecond - second) * 1e3;
  }
}
