package io.uniserve.simulation.scenario.scale;

import java.util.random.RandomGenerator;

/**
 * The work of each actor at any moment of a day. There is little at night, a peak before noon and a
 * higher one in the evening, and two crowds that come at once. Hot spots wander over the actors, so
 * that no placement is good for long.
 */
final class DayOfLoad {
  private static final int HOT_SPOTS = 5;

  /** The multiple of its actors' work that a hot spot adds in its middle. */
  private static final double HOT_TIMES = 6;

  /** The width of a hot spot, as a share of all actors. */
  private static final double HOT_WIDTH = 0.01;

  /** The spread of the logarithm of the actors' work, since actors differ. */
  private static final double SPREAD = 0.7;

  private static final double NIGHT = 0.35;
  private static final double CROWD = 0.15;
  private static final int STEPS_A_DAY = 1_440;

  private final long dayNanos;
  private final double peakThreads;
  private final double[] base;
  private final double[] spotAt;
  private final double[] spotGoes;
  private final double[] crowdAt = new double[2];
  private final double[] work;
  private long step = -1;
  private double share;

  /**
   * @param peakThreads worker threads that all actors keep busy at the peak
   */
  DayOfLoad(RandomGenerator random, int actors, long dayNanos, double peakThreads) {
    this.dayNanos = dayNanos;
    this.peakThreads = peakThreads;
    base = random.doubles(0, 1).limit(actors).map(u -> Math.exp(SPREAD * normal(u))).toArray();
    spotAt = random.doubles(HOT_SPOTS).toArray();
    spotGoes = random.doubles(HOT_SPOTS, -1, 1).toArray();
    crowdAt[0] = random.nextDouble(0.3, 0.6);
    crowdAt[1] = random.nextDouble(0.65, 0.95);
    work = new double[actors];
  }

  /** Returns a nearly normal number for an evenly distributed one. */
  private static double normal(double even) {
    double within = Math.clamp(even, 1e-4, 1 - 1e-4);
    return Math.log(within / (1 - within)) / 1.7;
  }

  /** Sets the moment of the day. The time after the day is like its end. */
  void at(long nanos) {
    long now = Math.min(STEPS_A_DAY, nanos * STEPS_A_DAY / dayNanos);
    if (now != step) {
      step = now;
      compute((double) now / STEPS_A_DAY);
    }
  }

  private void compute(double day) {
    share = curve(day);
    double sum = 0;
    for (int actor = 0; actor < work.length; actor++) {
      work[actor] = base[actor] * heat((double) actor / work.length, day);
      sum += work[actor];
    }
    for (int actor = 0; actor < work.length; actor++) {
      work[actor] *= share * peakThreads / sum;
    }
  }

  private double curve(double day) {
    double peaks = Math.max(0.9 * bell(day - 0.45, 0.10), bell(day - 0.82, 0.07));
    double crowds = bell(day - crowdAt[0], 0.008) + bell(day - crowdAt[1], 0.008);
    return Math.min(1, NIGHT + (1 - NIGHT) * peaks + CROWD * crowds);
  }

  private double heat(double place, double day) {
    double heat = 1;
    for (int spot = 0; spot < HOT_SPOTS; spot++) {
      double away = place - spotAt[spot] - spotGoes[spot] * day;
      heat += HOT_TIMES * bell(away - Math.rint(away), HOT_WIDTH);
    }
    return heat;
  }

  private static double bell(double away, double width) {
    double widths = away / width;
    return Math.exp(-widths * widths / 2);
  }

  /** Returns the work of an actor now, in worker threads. */
  double of(int actor) {
    return work[actor];
  }

  /** Returns the present share of the peak's load, 0 to 1. */
  double share() {
    return share;
  }

  /** Returns the work of all actors now, in worker threads. */
  double total() {
    return share * peakThreads;
  }
}
