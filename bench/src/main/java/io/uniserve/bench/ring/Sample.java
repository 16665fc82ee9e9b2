package io.uniserve.bench.ring;

/**
 * One update or read.
 *
 * @param second the moment at which it was due, in seconds since the load began
 * @param endSecond the moment at which it had ended
 * @param failure a description of the failure; empty if there was none
 */
record Sample(double second, double endSecond, String failure) {
  double millis() {
    return (endSecond - second) * 1e3;
  }

  boolean failed() {
    return !failure.isEmpty();
  }

  /** Returns whether it was under way at some moment of an interval. */
  boolean during(double from, double to) {
    return second < to && endSecond > from;
  }
}
