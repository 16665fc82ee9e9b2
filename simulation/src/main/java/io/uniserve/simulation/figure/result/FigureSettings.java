package io.uniserve.simulation.figure.result;

import java.util.function.Consumer;

/**
 * The size of the simulations.
 *
 * @param trials the number of trials for each point
 * @param queries the number of queries of each run
 * @param small true for fewer points and smaller clusters, to see that it works; proves nothing
 * @param progress receives each completed step
 */
public record FigureSettings(int trials, int queries, boolean small, Consumer<String> progress) {

  /** Returns the same settings with at most this many trials. */
  public FigureSettings withTrialsMax(int most) {
    return new FigureSettings(Math.min(trials, most), queries, small, progress);
  }
}
