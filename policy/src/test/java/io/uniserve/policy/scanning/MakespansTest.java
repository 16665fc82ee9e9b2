package io.uniserve.policy.scanning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the bounds of PNUTS §4.2 on random scans. */
class MakespansTest {
  private static final int CASES = 2_000;

  static List<GrantPolicy> policies() {
    return List.of(
        new FirstCome(),
        new AnyScan(7),
        new RoundRobin(),
        new PriorityBiased(10),
        new PriorityBiased(-3),
        new IdleBound(new PriorityBiased(20), 3));
  }

  @Test
  void aScheduleOfTheOptimumExists() {
    for (int seed = 0; seed < CASES; seed++) {
      UnitScans scans = UnitScans.random(seed);
      int[] steps = Colouring.steps(scans.parallelism, scans.jobs, scans.slots);

      assertThat(Arrays.stream(steps).max().orElse(-1) + 1)
          .as("seed %d", seed)
          .isLessThanOrEqualTo((int) Makespans.optimum(scans.parallelism, scans.jobs, scans.slots));
      assertKeepsTheLimits(scans, steps, seed);
    }
  }

  private static void assertKeepsTheLimits(UnitScans scans, int[] steps, int seed) {
    Map<List<Integer>, Integer> ofScan = new HashMap<>();
    Map<List<Integer>, Integer> ofServer = new HashMap<>();
    int job = 0;
    for (int scan = 0; scan < scans.jobs.length; scan++) {
      for (int server = 0; server < scans.slots.length; server++) {
        for (int i = 0; i < scans.jobs[scan][server]; i++) {
          ofScan.merge(List.of(scan, steps[job]), 1, Integer::sum);
          ofServer.merge(List.of(server, steps[job]), 1, Integer::sum);
          job++;
        }
      }
    }
    ofScan.forEach(
        (at, count) ->
            assertThat(count)
                .as("seed %d", seed)
                .isLessThanOrEqualTo(scans.parallelism[at.get(0)]));
    ofServer.forEach(
        (at, count) ->
            assertThat(count).as("seed %d", seed).isLessThanOrEqualTo(scans.slots[at.get(0)]));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aGreedyScheduleIsBetweenTheOptimumAndTwiceOfIt(GrantPolicy policy) {
    for (int seed = 0; seed < CASES; seed++) {
      UnitScans scans = UnitScans.random(seed);
      double[] priorities = new double[scans.jobs.length];
      Arrays.setAll(priorities, scan -> 1 << scan % 3);
      long optimum = Makespans.optimum(scans.parallelism, scans.jobs, scans.slots);
      long greatest = Makespans.greedyMax(scans.parallelism, scans.jobs, scans.slots);

      assertThat((long) scans.run(policy, priorities).steps)
          .as("seed %d", seed)
          .isBetween(optimum, greatest);
      assertThat(greatest).isLessThanOrEqualTo(2 * optimum);
    }
  }

  @Test
  void theLeastTimeOfOneScanIsThatOfItsBestSchedule() {
    for (int seed = 0; seed < CASES; seed++) {
      UnitScans scans = UnitScans.random(seed);
      int[] jobs = scans.jobs[0];
      int[] parallelism = {scans.parallelism[0]};
      long least = Makespans.minimumCompletion(parallelism[0], jobs, scans.slots);
      int[] steps = Colouring.steps(parallelism, new int[][] {jobs}, scans.slots);

      assertThat(Arrays.stream(steps).max().orElse(-1) + 1L).as("seed %d", seed).isEqualTo(least);
      double[] seconds = Arrays.stream(jobs).asDoubleStream().toArray();
      double longest = Math.min(1, Arrays.stream(jobs).sum());
      assertThat(Makespans.minimumCompletionSeconds(parallelism[0], longest, seconds, scans.slots))
          .as("seed %d: pages may be shorter than jobs", seed)
          .isLessThanOrEqualTo(least)
          .isGreaterThan(least - 1.0);
    }
  }

  @Test
  void secondsCountTheLongestPartitionTheBusiestServerAndAll() {
    double[] seconds = {30, 10, 20};
    int[] slots = {2, 1, 1};

    assertThat(Makespans.minimumCompletionSeconds(1, 12, seconds, slots))
        .isCloseTo(60, within(1e-9));
    assertThat(Makespans.minimumCompletionSeconds(10, 12, seconds, slots))
        .isCloseTo(20, within(1e-9));
    assertThat(Makespans.minimumCompletionSeconds(10, 25, seconds, slots))
        .isCloseTo(25, within(1e-9));
  }

  @Test
  void theExampleOfTheJavadocHolds() {
    int[] parallelism = {2, 2};
    int[][] jobs = {{2, 2}, {2, 2}};
    int[] slots = {1, 1};

    assertThat(Makespans.optimum(parallelism, jobs, slots)).isEqualTo(4);
    assertThat(Makespans.greedyMax(parallelism, jobs, slots)).isEqualTo(6);
  }
}
