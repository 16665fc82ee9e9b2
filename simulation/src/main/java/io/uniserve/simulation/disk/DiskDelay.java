package io.uniserve.simulation.disk;

import io.uniserve.simulation.schedule.SimulatedClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The delays of the disk, and its failures. */
final class DiskDelay {
  private static final long WRITE_NANOS_MAX = 30_000;
  private static final long FORCE_NANOS_MAX = 1_500_000;

  private final SimulatedDisk disk;
  private final SimulatedClock clock;
  private final RandomGenerator random;

  DiskDelay(SimulatedDisk disk, SimulatedClock clock, RandomGenerator random) {
    this.disk = disk;
    this.clock = clock;
    this.random = random;
  }

  void write() {
    pass(WRITE_NANOS_MAX);
  }

  /** Waits for a write, or fails. */
  void write(Path what) throws IOException {
    write();
    if (disk.faults().writeFails(random)) {
      throw DiskFaults.failure(what);
    }
  }

  boolean readFails() {
    return disk.faults().readFails(random);
  }

  boolean forceFails() {
    return disk.faults().forceFails(random);
  }

  RandomGenerator random() {
    return random;
  }

  void force() {
    pass(FORCE_NANOS_MAX);
  }

  /** Returns whether a crash of the process may find this write half done. */
  boolean inTwoParts() {
    return random.nextInt(8) == 0;
  }

  int split(int length) {
    return random.nextInt(length);
  }

  private void pass(long nanosMax) {
    clock.pass(Duration.ofNanos((long) (random.nextLong(1, nanosMax) * disk.slowness())));
  }
}
