package io.uniserve.policy.scanning;

/** The step of adaptive server allocation at which a scan is (PNUTS, Algorithm 1). */
sealed interface Phase {
  /**
   * The time until the next coin.
   *
   * @param until the time at which it is flipped
   */
  record Resting(double until) implements Phase {}

  /**
   * The wait until the scan holds as many slots as it should, to measure before a probe.
   *
   * @param step the probe's: 1 or -1
   */
  record Settling(int step) implements Phase {}

  /** A measurement before a probe. */
  record Measuring(int step, Window window) implements Phase {}

  /**
   * The wait until a probe's slot reads, or one has been given back.
   *
   * @param since the time at which the probe began
   * @param before the rates before
   */
  record Asking(int step, double since, Seen before) implements Phase {}

  /** A measurement during a probe. */
  record Probing(int step, Window window, Seen before) implements Phase {}
}
