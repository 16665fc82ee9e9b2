package io.uniserve.simulation.network;

import java.util.random.RandomGenerator;

/** The way from one process to another. */
final class Link {
  private static final int STRAGGLER_FACTOR = 100;

  private int cuts;
  private double loss;
  private double slowness = 1;

  void cut() {
    cuts++;
  }

  void mend() {
    cuts = Math.max(0, cuts - 1);
  }

  boolean whole() {
    return cuts == 0;
  }

  void loss(double share) {
    loss = share;
  }

  void slow(double factor) {
    slowness = factor;
  }

  void heal() {
    cuts = 0;
    loss = 0;
    slowness = 1;
  }

  boolean loses(RandomGenerator random) {
    return cuts > 0 || loss > 0 && random.nextDouble() < loss;
  }

  long delayNanos(NetworkSettings settings, RandomGenerator random) {
    long delay = random.nextLong(settings.delayMin().toNanos(), settings.delayMax().toNanos() + 1);
    if (random.nextDouble() < settings.stragglers()) {
      delay *= random.nextInt(2, STRAGGLER_FACTOR);
    }
    return (long) (delay * slowness);
  }
}
