package io.uniserve.simulation.scenario.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.runtime.control.raft.RaftSettings;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.simulation.ClusterSettings;
import io.uniserve.simulation.RunSettings;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of the time that a change of leader takes. Without other faults, the end of a leader delays
 * decisions by the failure timeout and half a second at most, and mostly by little more than the
 * timeout.
 */
class LeaderChangeTest {
  private static final Duration MAX =
      RaftSettings.DEFAULT.failureTimeout().plus(Duration.ofMillis(500));
  private static final int CHANGES = 5;

  /** The time that each change took until another controller led. */
  private static final List<Duration> TOOK = new ArrayList<>();

  static LongStream seeds() {
    return LongStream.range(0, 20);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void decisionsGoOnInTime(long seed) {
    RunSettings shape =
        RunSettings.NONE
            .with("routers", seed % 2 == 0 ? 3 : 5)
            .with("snapshotBytes", 4_000)
            .with("snapshotEntries", 100);
    try (SimulatedCluster cluster =
        new SimulatedCluster(
            new Seed(seed), new WireCodec(new Engines(List.of())), ClusterSettings.DEFAULT)) {
      ControllersRun run = new ControllersRun(cluster, shape, UnaryOperator.identity());
      run.start();
      cluster.runUntil("a controller decides", run::decided, Duration.ofSeconds(10));
      for (int change = 0; change < CHANGES; change++) {
        cluster.runUntil("all are level", run::level, Duration.ofSeconds(10));
        cluster.run(Duration.ofMillis(cluster.seed().random("pause" + change).nextInt(2_000)));
        String leader = run.deciding().orElseThrow();
        cluster.process(leader).crash();
        long began = cluster.scheduler().nanos();
        long latest = began + MAX.toNanos();
        cluster.runUntil("another leader", () -> run.deciding().isPresent(), MAX);
        TOOK.add(Duration.ofNanos(cluster.scheduler().nanos() - began));
        long answers = run.answers();
        Duration left = Duration.ofNanos(latest - cluster.scheduler().nanos());
        cluster.runUntil("its first decision", () -> run.answers() > answers, left);
        cluster.process(leader).start();
      }
    }
  }

  /**
   * Checks that most changes took little more than the timeout. Followers check for a silent leader
   * at every tick, although they hear from it less often.
   */
  @AfterAll
  static void mostTookLittleMoreThanTheTimeout() {
    Collections.sort(TOOK);
    Duration timeout = RaftSettings.DEFAULT.failureTimeout();
    assertThat(TOOK.get(TOOK.size() / 2)).isLessThan(timeout.plusMillis(22));
    assertThat(TOOK.get(TOOK.size() * 9 / 10)).isLessThan(timeout.plusMillis(50));
  }
}
