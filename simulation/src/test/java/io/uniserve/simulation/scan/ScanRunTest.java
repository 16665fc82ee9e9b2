package io.uniserve.simulation.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.uniserve.policy.scanning.AllocationSettings;
import io.uniserve.policy.scanning.AnyScan;
import io.uniserve.policy.scanning.FirstCome;
import io.uniserve.policy.scanning.GrantPolicy;
import io.uniserve.policy.scanning.Makespans;
import io.uniserve.policy.scanning.PriorityBiased;
import io.uniserve.policy.scanning.RoundRobin;
import io.uniserve.simulation.scan.ScanOutcome.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScanRunTest {
  private static final GrantPolicy FIFO = new FirstCome();
  private static final double FAST = 100_000;

  static List<ScanSettings> ways() {
    List<ScanSettings> ways = new ArrayList<>();
    for (GrantPolicy policy :
        List.of(FIFO, new AnyScan(1), new RoundRobin(), new PriorityBiased(2))) {
      ScanSettings paper = ScanSettings.paper(policy, 3);
      ways.addAll(
          List.of(
              paper, paper.atServers(), paper.withPages(0.5), paper.withPages(0.5).atServers()));
    }
    return ways;
  }

  private static ScanCluster cluster(int servers) {
    return ScanCluster.of(servers, 1_024, 0, 1);
  }

  private static ScanQuery scan(double from, double length, double rate, int slots) {
    return scan(from, length, rate, new Parallelism.Fixed(slots));
  }

  private static ScanQuery scan(double from, double length, double rate, Parallelism slots) {
    return new ScanQuery(0, from, length, 0.1, rate, slots, OptionalDouble.of(1));
  }

  private static double seconds(ScanSettings settings, ScanQuery... queries) {
    return ScanRun.of(cluster(10), settings, List.of(queries), false).getLast().seconds();
  }

  @Test
  void aScanTakesAsLongAsTheSlowerOfItsServersAndItsClient() {
    ScanSettings paper = ScanSettings.paper(FIFO, 1);
    assertThat(seconds(paper, scan(0, 10, FAST, 1))).isCloseTo(400, within(0.1));
    assertThat(seconds(paper, scan(0, 10, FAST, 10))).isCloseTo(40, within(0.1));
    assertThat(seconds(paper, scan(0, 10, FAST, 4))).isCloseTo(120, within(0.1));
    assertThat(seconds(paper, scan(0, 10, 1_000, 10))).isCloseTo(100, within(0.1));
    assertThat(seconds(paper.withPages(0.1), scan(0, 10, FAST, 4))).isCloseTo(100, within(1.0));
    assertThat(
            seconds(
                paper,
                new ScanQuery(0, 0, 10, 0, 1, new Parallelism.Fixed(5), OptionalDouble.of(1))))
        .as("nothing matches")
        .isCloseTo(16, within(0.1));
  }

  @Test
  void aSlowClientsScanHoldsItsServersUnlessItReadsByPages() {
    ScanQuery slow = scan(0, 10, 100, 10);
    ScanQuery fast = scan(20, 10, FAST, 10);
    ScanSettings paper = ScanSettings.paper(FIFO, 1);
    assertThat(seconds(paper, slow, fast)).isGreaterThan(900);
    assertThat(seconds(paper.withPages(0.1), slow, fast)).isLessThan(50);
    assertThat(seconds(paper.withPages(0.1).atServers(), slow, fast)).isLessThan(50);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void everyScanGetsAllItsResultsWithinItsLimits(ScanSettings settings) {
    Random random = new Random(5);
    List<ScanQuery> queries = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      boolean adapts = i % 2 == 0;
      queries.add(
          new ScanQuery(
              random.nextInt(30),
              random.nextDouble() * 900,
              1 + 20 * random.nextDouble(),
              0.1,
              200 + random.nextInt(3_000),
              adapts
                  ? new Parallelism.Adaptive(AllocationSettings.DEFAULT)
                  : new Parallelism.Fixed(1 + random.nextInt(10)),
              i < 4 ? OptionalDouble.empty() : OptionalDouble.of(1 + i)));
    }
    List<ScanOutcome> outcomes = ScanRun.of(cluster(5), settings, queries, true);

    for (ScanOutcome outcome : outcomes) {
      double kb = outcome.query().length() * 0.1 * Calibration.PARTITION_KB;
      assertThat(outcome.samples().getLast().consumedKb()).isCloseTo(kb, within(kb * 1e-4));
      assertThat(outcome.seconds())
          .isGreaterThanOrEqualTo(kb / outcome.query().clientKbPerSecond());
      assertThat(outcome.firstSeconds()).isBetween(0.0, outcome.seconds());
      if (outcome.query().parallelism() instanceof Parallelism.Fixed(int slots)) {
        assertThat(outcome.samples()).allMatch(sample -> sample.held() <= slots);
      }
    }
    assertThat(mostHeld(outcomes)).isLessThanOrEqualTo(5);
  }

  /** Returns the most slots that all scans held together. */
  private static int mostHeld(List<ScanOutcome> outcomes) {
    record Change(double seconds, int slots) {}
    List<Change> changes = new ArrayList<>();
    for (ScanOutcome outcome : outcomes) {
      int held = 0;
      for (Sample sample : outcome.samples()) {
        changes.add(new Change(sample.seconds(), sample.held() - held));
        held = sample.held();
      }
    }
    // Of several changes at one time, slots are given back first.
    changes.sort(Comparator.comparingDouble(Change::seconds).thenComparingInt(Change::slots));
    int held = 0;
    int most = 0;
    for (Change change : changes) {
      held += change.slots();
      most = Math.max(most, held);
    }
    return most;
  }

  static Stream<GrantPolicy> policies() {
    return ways().stream().map(ScanSettings::policy).distinct();
  }

  @ParameterizedTest
  @MethodSource("policies")
  void whatEndsIsBetweenTheOptimumAndWhatGreedyMayNeed(GrantPolicy policy) {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      int servers = 1 + random.nextInt(8);
      int count = 1 + random.nextInt(8);
      int[] parallelism = new int[count];
      int[][] jobs = new int[count][servers];
      List<ScanQuery> queries = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int from = random.nextInt(100);
        int length = 1 + random.nextInt(20);
        parallelism[i] = 1 + random.nextInt(6);
        for (int partition = from; partition < from + length; partition++) {
          jobs[i][partition % servers]++;
        }
        queries.add(scan(from, length, FAST, parallelism[i]));
      }
      ScanCluster cluster = cluster(servers);
      double end =
          ScanRun.of(cluster, ScanSettings.paper(policy, seed), queries, false).stream()
              .mapToDouble(ScanOutcome::endSeconds)
              .max()
              .orElseThrow();
      double step = Calibration.partitionSeconds(0.1);
      int[] slots = cluster.slotsByServer();

      assertThat(end / step)
          .as("seed %d", seed)
          .isBetween(
              Makespans.optimum(parallelism, jobs, slots) - 0.01,
              Makespans.greedyMax(parallelism, jobs, slots) + 0.01);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void theSameSeedGivesTheSameCourse(ScanSettings settings) {
    List<ScanQuery> queries =
        List.of(
            scan(0, 12, 700, new Parallelism.Adaptive(AllocationSettings.DEFAULT)),
            scan(7, 9.5, 900, 4));
    assertThat(ScanRun.of(cluster(10), settings, queries, true))
        .isEqualTo(ScanRun.of(cluster(10), settings, queries, true));
  }

  @Test
  void serversAloneLoseLittleAgainstOneSchedulerThatKnowsAll() {
    List<ScanQuery> queries = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      queries.add(
          new ScanQuery(
              i * 0.1,
              40 * i,
              41,
              0.1,
              FAST,
              new Parallelism.Fixed(10),
              OptionalDouble.of(i < 4 ? 4 : i < 6 ? 2 : 1)));
    }
    ScanSettings one = ScanSettings.paper(new PriorityBiased(10), 1).withPages(1);
    List<ScanOutcome> central = ScanRun.of(ScanCluster.of(10, 1_024, 0.1, 1), one, queries, false);
    List<ScanOutcome> servers =
        ScanRun.of(ScanCluster.of(10, 1_024, 0.1, 1), one.atServers(), queries, false);

    assertThat(last(servers)).isLessThan(last(central) * 1.05);
    assertThat(gold(servers)).isLessThan(gold(central) * 1.1);
  }

  private static double last(List<ScanOutcome> outcomes) {
    return outcomes.stream().mapToDouble(ScanOutcome::endSeconds).max().orElseThrow();
  }

  private static double gold(List<ScanOutcome> outcomes) {
    return outcomes.stream().skip(6).mapToDouble(ScanOutcome::seconds).average().orElseThrow();
  }
}
