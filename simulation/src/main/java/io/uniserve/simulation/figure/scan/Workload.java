package io.uniserve.simulation.figure.scan;

import io.uniserve.policy.scanning.AllocationSettings;
import io.uniserve.policy.scanning.GrantPolicy;
import io.uniserve.simulation.scan.Parallelism;
import io.uniserve.simulation.scan.ScanCluster;
import io.uniserve.simulation.scan.ScanOutcome;
import io.uniserve.simulation.scan.ScanQuery;
import io.uniserve.simulation.scan.ScanRun;
import io.uniserve.simulation.scan.ScanSettings;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/** The paper's cluster and scans (PNUTS §5.1): ten servers, 1,024 partitions of 100 MB. */
final class Workload {
  static final int SERVERS = 10;
  static final int PARTITIONS = 1_024;

  /** A client that is faster than all servers together. */
  static final double FAST_KB = 10_000;

  /** The share of records that match, unless a figure varies it. */
  static final double TENTH = 0.1;

  /** The share by which servers differ in speed, up and down. */
  private static final double SPREAD = 0.1;

  /** The priority of a scan where nobody looks at it. */
  private static final OptionalDouble ANY = OptionalDouble.of(1);

  private Workload() {}

  static ScanCluster cluster(int servers, long seed) {
    return ScanCluster.of(servers, PARTITIONS, SPREAD, seed);
  }

  static Parallelism fixed(int slots) {
    return new Parallelism.Fixed(slots);
  }

  /** Returns adaptive server allocation as it suits the grants of a run. */
  static Parallelism adaptive(ScanSettings settings) {
    return new Parallelism.Adaptive(
        settings.pageSeconds().isPresent()
            ? AllocationSettings.DEFAULT
            : AllocationSettings.WHOLE_PARTITIONS);
  }

  /** Returns scans of random ranges. */
  static final class Ranges {
    private final SplittableRandom random;

    Ranges(long seed) {
      random = new SplittableRandom(seed);
    }

    /**
     * Returns a scan.
     *
     * @param share the part of the table that its range covers
     */
    ScanQuery scan(
        double arrivalSeconds,
        double share,
        double selectivity,
        double clientKbPerSecond,
        Parallelism parallelism) {
      double length = share * PARTITIONS;
      return new ScanQuery(
          arrivalSeconds,
          random.nextDouble() * (PARTITIONS - length),
          length,
          selectivity,
          clientKbPerSecond,
          parallelism,
          ANY);
    }

    ScanQuery scan(
        double arrivalSeconds, double share, Parallelism parallelism, OptionalDouble priority) {
      ScanQuery query = scan(arrivalSeconds, share, TENTH, FAST_KB, parallelism);
      return new ScanQuery(
          query.arrivalSeconds(),
          query.from(),
          query.length(),
          query.selectivity(),
          query.clientKbPerSecond(),
          parallelism,
          priority);
    }
  }

  static List<ScanOutcome> run(ScanSettings settings, int servers, List<ScanQuery> queries) {
    return ScanRun.of(cluster(servers, settings.seed()), settings, queries, false);
  }

  static List<ScanOutcome> traced(ScanSettings settings, List<ScanQuery> queries) {
    return ScanRun.of(cluster(SERVERS, settings.seed()), settings, queries, true);
  }

  /** Returns when the last scan has ended. */
  static double makespan(List<ScanOutcome> outcomes) {
    return outcomes.stream().mapToDouble(ScanOutcome::endSeconds).max().orElse(0);
  }

  /** The ways in which slots are granted. */
  enum Way {
    WHOLE("a", "whole partitions, one scheduler") {
      @Override
      ScanSettings settings(GrantPolicy policy, long seed) {
        return ScanSettings.paper(policy, seed);
      }
    },
    PAGES("b", "pages, granted by servers") {
      @Override
      ScanSettings settings(GrantPolicy policy, long seed) {
        return ScanSettings.pages(policy, seed);
      }
    };

    final String chart;
    final String text;

    Way(String chart, String text) {
      this.chart = chart;
      this.text = text;
    }

    abstract ScanSettings settings(GrantPolicy policy, long seed);
  }
}
