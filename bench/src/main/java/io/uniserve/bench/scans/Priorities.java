package io.uniserve.bench.scans;

import io.uniserve.bench.report.Table;
import io.uniserve.bench.scans.PacedClient.Ended;
import io.uniserve.runtime.server.base.ServerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Two gold, two silver and four bronze scans, of which the least urgent come first (Fig. 12). */
final class Priorities implements Experiment {
  private static final List<Integer> ARRIVALS = List.of(4, 4, 4, 4, 2, 2, 1, 1);
  private static final int LENGTH = 40;
  private static final int BETWEEN = 8;
  private static final double PAUSE_SECONDS = 2;
  private static final double FASTER = 2;

  @Override
  public String name() {
    return "12";
  }

  @Override
  public Result run(Conditions given) {
    Conditions conditions = given.faster(FASTER);
    try (PacedTable table = conditions.table(ServerSettings.GRANTS)) {
      List<Ended> all = Crowd.run(table, conditions.partitionSeconds(), members(conditions, 4));
      List<Ended> alone = Crowd.run(table, conditions.partitionSeconds(), members(conditions, 1));
      double gold = mean(all, 1);
      double goldAlone = alone.stream().mapToDouble(Ended::seconds).average().orElseThrow();
      double silver = mean(all, 2);
      double bronze = mean(all, 4);
      Table figures = new Table("priority", "mean time, s", "alone, s");
      figures.add("gold (1)", Numbers.seconds(gold), Numbers.seconds(goldAlone));
      figures.add("silver (2)", Numbers.seconds(silver), "");
      figures.add("bronze (4)", Numbers.seconds(bronze), "");
      return new Result(
          "### Figure 12: Policies and priorities\n\nα = 10, as servers have it; scans arrive the least urgent first.\n\n"
              + figures,
          List.of(
              new Claim(
                  "12",
                  "from α = 10 gold clearly comes first, then silver",
                  String.format(Locale.ROOT, "%.1f, %.1f, %.1f s", gold, silver, bronze),
                  gold < 0.8 * silver && silver < bronze),
              new Claim(
                  "12",
                  "(our aim) gold within 10 % of gold alone",
                  String.format(
                      Locale.ROOT,
                      "%.1f s, alone %.1f s: %s",
                      gold,
                      goldAlone,
                      Numbers.percent(gold / goldAlone - 1)),
                  gold <= (1 + Claim.TENTH) * goldAlone)));
    }
  }

  /** Returns the scans that are at least so urgent. */
  private static List<Crowd.Member> members(Conditions conditions, int most) {
    List<Crowd.Member> members = new ArrayList<>();
    for (int i = 0; i < ARRIVALS.size(); i++) {
      if (ARRIVALS.get(i) <= most) {
        members.add(
            new Crowd.Member(
                members.size() * PAUSE_SECONDS / conditions.speed(),
                i * BETWEEN,
                LENGTH,
                Parallelism.ASA.slots(),
                ARRIVALS.get(i),
                Double.POSITIVE_INFINITY));
      }
    }
    return members;
  }

  private static double mean(List<Ended> all, int priority) {
    return IntStream.range(0, ARRIVALS.size())
        .filter(i -> ARRIVALS.get(i) == priority)
        .mapToDouble(i -> all.get(i).seconds())
        .average()
        .orElseThrow();
  }
}
