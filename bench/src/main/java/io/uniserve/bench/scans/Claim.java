package io.uniserve.bench.scans;

/**
 * A claim of the paper or an aim of our own, with the figures that were found.
 *
 * @param figure the figure or section
 * @param text the claim
 * @param found the figures that were found
 * @param holds true if it holds
 */
record Claim(String figure, String text, String found, boolean holds) {
  /** The share by which a time may exceed another that is the aim. */
  static final double TENTH = 0.1;

  String verdict() {
    return holds ? "holds" : "does not hold";
  }
}
