package io.uniserve.bench.elasticity;

/**
 * A load that rises from its minimum to its maximum and falls again: an eighth of the time at the
 * minimum, a quarter rising, a quarter at the maximum, a quarter falling, an eighth at the minimum.
 *
 * @param leastPerMinute the minimum, in queries per minute
 * @param mostPerMinute the maximum, in queries per minute
 * @param seconds the whole duration
 */
record LoadShape(double leastPerMinute, double mostPerMinute, double seconds) {
  private static final double[] AT = {0, 1.0 / 8, 3.0 / 8, 5.0 / 8, 7.0 / 8, 1};
  private static final double[] HEIGHT = {0, 0, 1, 1, 0, 0};

  /** Returns the target rate at a moment. */
  double perMinute(double second) {
    double part = Math.clamp(second / seconds, 0, 1);
    int i = 1;
    while (i < AT.length - 1 && AT[i] < part) {
      i++;
    }
    double along = (part - AT[i - 1]) / (AT[i] - AT[i - 1]);
    double height = HEIGHT[i - 1] + (HEIGHT[i] - HEIGHT[i - 1]) * along;
    return leastPerMinute + (mostPerMinute - leastPerMinute) * height;
  }

  /** Returns the moment of the query that follows the one at the given moment. */
  double next(double second) {
    return second + 60 / perMinute(second);
  }
}
