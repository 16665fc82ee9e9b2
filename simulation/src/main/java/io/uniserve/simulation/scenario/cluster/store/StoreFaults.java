package io.uniserve.simulation.scenario.cluster.store;

import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.disk.SimulatedDisk;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The faults of the durable store that all servers share. For a while it is slow, or full, or some
 * of its reads fail, or some of its writes, before or after they took effect; or it does not answer
 * at all.
 */
public final class StoreFaults {
  private static final Duration CALM_MAX = Duration.ofSeconds(3);
  private static final Duration FAULT_MAX = Duration.ofSeconds(2);
  private static final double FAILING_MAX = 0.6;
  private static final double SLOWNESS_MAX = 50;

  private final SimulatedCluster cluster;
  private final SimulatedDisk disk;
  private final RandomGenerator random;
  private double failing;
  private double failingReads;
  private boolean stopped;

  public StoreFaults(SimulatedCluster cluster, SimulatedDisk disk) {
    this.cluster = cluster;
    this.disk = disk;
    random = cluster.seed().random("store");
  }

  /** Returns whether a write fails now. */
  boolean fails() {
    return failing > 0 && random.nextDouble() < failing;
  }

  /** Returns whether a read fails now. */
  boolean failsToRead() {
    return failingReads > 0 && random.nextDouble() < failingReads;
  }

  /** Returns whether a failed write takes effect nevertheless. */
  boolean takesEffect() {
    return random.nextBoolean();
  }

  /** Begins the faults, in half of all runs. */
  public void begin() {
    if (random.nextBoolean()) {
      later(CALM_MAX, this::goWrong);
    }
  }

  /** Begins faults again after {@link #stop}, for a while, for example during a restore. */
  public void begin(Duration length) {
    stopped = false;
    cluster.scheduler().at(cluster.scheduler().nanos() + length.toNanos(), this::stop);
    begin();
  }

  /** Ends all faults. */
  public void stop() {
    stopped = true;
    repair();
  }

  private void goWrong() {
    if (stopped) {
      return;
    }
    switch (random.nextInt(5)) {
      case 0 -> {
        failing = random.nextDouble(FAILING_MAX);
        cluster.scheduler().note("the store fails " + failing + " of all writes");
      }
      case 1 -> {
        disk.slow(random.nextDouble(2, SLOWNESS_MAX));
        cluster.scheduler().note("the store is slow");
      }
      case 2 -> {
        failingReads = random.nextDouble(FAILING_MAX);
        cluster.scheduler().note("the store fails " + failingReads + " of all reads");
      }
      case 3 -> {
        failing = 1;
        failingReads = 1;
        cluster.scheduler().note("the store answers nothing");
      }
      default -> {
        disk.fill();
        cluster.scheduler().note("the store is full");
      }
    }
    later(FAULT_MAX, this::goWell);
  }

  private void goWell() {
    repair();
    if (!stopped) {
      later(CALM_MAX, this::goWrong);
    }
  }

  private void repair() {
    failing = 0;
    failingReads = 0;
    disk.slow(1);
    disk.free();
  }

  private void later(Duration max, Runnable task) {
    long delay = random.nextLong(1, max.toNanos());
    cluster.scheduler().at(cluster.scheduler().nanos() + delay, task);
  }
}
