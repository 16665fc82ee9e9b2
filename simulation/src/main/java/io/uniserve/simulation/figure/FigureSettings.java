package io.uniserve.simulation.figure;

import java.util.function.Consumer;

/**
 * How much is simulated.
 *
 * @param trials for each point
 * @param queries of each run
 * @param small fewer points and smaller clusters, to see that it works; proves nothing
 * @param progress is told what has been done, after each step
 */
record FigureSettings(int trials, int queries, boolean small, Consumer<String> progress) {

  /** So many trials at most. */
  FigureSettings withTrialsMax(int most) {
    return new FigureSettings(Math.min(trials, most), queries, small, progress);
  }
}
