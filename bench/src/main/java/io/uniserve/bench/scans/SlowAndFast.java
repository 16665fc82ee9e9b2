package io.uniserve.bench.scans;

import io.uniserve.bench.report.Table;
import io.uniserve.bench.scans.PacedClient.Ended;
import io.uniserve.policy.scanning.FirstCome;
import java.util.List;

/** A slow and a fast client at once (Fig. 9). */
final class SlowAndFast implements Experiment {
  private static final double SLOW = 100_000;
  private static final double FAST = 2_000_000;
  private static final int PARTITIONS = 10;
  private static final int FIRST_OF_FAST = 40;

  @Override
  public String name() {
    return "9";
  }

  @Override
  public Result run(Conditions conditions) {
    try (PacedTable table = conditions.table(new FirstCome())) {
      List<Ended> five = both(table, conditions, Parallelism.of(5));
      List<Ended> asa = both(table, conditions, Parallelism.ASA);
      Ended alone =
          Crowd.run(table, conditions.partitionSeconds(), List.of(fast(Parallelism.ASA)))
              .getFirst();
      Conditions shorter = conditions.faster(Crowd.HELD_FASTER);
      List<Ended> held =
          Crowd.runHolding(table, shorter.partitionSeconds(), members(Parallelism.of(5)));
      List<Ended> beside = both(table, shorter, Parallelism.ASA);
      Table figures = new Table("", "slow client, s", "fast client, s");
      figures.add("K = 5", seconds(five.getFirst()), seconds(five.getLast()));
      figures.add("ASA", seconds(asa.getFirst()), seconds(asa.getLast()));
      figures.add("ASA, the fast one alone", "", seconds(alone));
      figures.add(
          "K = 5, slots held, an eighth of the range",
          seconds(held.getFirst()),
          seconds(held.getLast()));
      figures.add(
          "ASA, an eighth of the range", seconds(beside.getFirst()), seconds(beside.getLast()));
      return new Result(
          "### Figure 9: A slow and a fast client\n\n" + figures,
          List.of(
              new Claim(
                  "9",
                  "the slow client's scan takes as long with ASA as with K = 5",
                  seconds(asa.getFirst()) + " s, " + seconds(five.getFirst()) + " s",
                  near(asa.getFirst().seconds(), five.getFirst().seconds())),
              new Claim(
                  "9",
                  "the fast client's is faster with ASA than with K = 5 where slots are held",
                  seconds(beside.getLast()) + " s, " + seconds(held.getLast()) + " s",
                  beside.getLast().seconds() < held.getLast().seconds()),
              new Claim(
                  "9",
                  "(our aim) and as fast as alone, within 10 %",
                  seconds(asa.getLast()) + " s, alone " + seconds(alone) + " s",
                  asa.getLast().seconds() <= (1 + Claim.TENTH) * alone.seconds())));
    }
  }

  private static boolean near(double one, double other) {
    return Math.abs(one / other - 1) <= Claim.TENTH / 2;
  }

  private static List<Ended> both(PacedTable table, Conditions conditions, Parallelism way) {
    return Crowd.run(table, conditions.partitionSeconds(), members(way));
  }

  private static List<Crowd.Member> members(Parallelism way) {
    return List.of(new Crowd.Member(0, 0, PARTITIONS, way.slots(), 4, SLOW), fast(way));
  }

  private static Crowd.Member fast(Parallelism way) {
    return new Crowd.Member(0, FIRST_OF_FAST, PARTITIONS, way.slots(), 4, FAST);
  }

  private static String seconds(Ended ended) {
    return Numbers.seconds(ended.seconds());
  }
}
