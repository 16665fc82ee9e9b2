package io.uniserve.bench.scans;

import io.uniserve.bench.report.Table;
import io.uniserve.bench.scans.PacedClient.Ended;
import io.uniserve.policy.scanning.FirstCome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Scans of ten partitions by a client of some rate (Fig. 6), and K over the time of one (Fig. 7).
 */
final class ClientRates implements Experiment {
  private static final List<Integer> RATES = List.of(250, 500, 1_000, 2_000);
  private static final List<Integer> NEEDED = List.of(1, 2, 4, 8);
  private static final List<Integer> SLOTS = List.of(1, 2, 4, 8, 10);
  private static final int PARTITIONS = 10;
  private static final double SUFFICES = 1.1;
  private static final int RATE_OF_FIGURE_7 = 1_000;

  @Override
  public String name() {
    return "6";
  }

  @Override
  public Result run(Conditions conditions) {
    Map<Integer, Map<Parallelism, Ended>> all = new LinkedHashMap<>();
    try (PacedTable table = conditions.table(new FirstCome())) {
      for (int rate : conditions.quick() ? List.of(RATE_OF_FIGURE_7) : RATES) {
        Map<Parallelism, Ended> row = new LinkedHashMap<>();
        for (int slots : SLOTS) {
          row.put(Parallelism.of(slots), scan(table, conditions, rate, Parallelism.of(slots)));
        }
        row.put(Parallelism.ASA, scan(table, conditions, rate, Parallelism.ASA));
        all.put(rate, row);
      }
    }
    List<Claim> claims = new ArrayList<>(claims(all));
    Ended seven = all.get(RATE_OF_FIGURE_7).get(Parallelism.ASA);
    claims.add(overTime(seven));
    return new Result(table(all) + "\n\n" + moments(seven), claims);
  }

  private static Ended scan(
      PacedTable table, Conditions conditions, int rate, Parallelism parallelism) {
    Crowd.Member member =
        new Crowd.Member(0, rate % 70, PARTITIONS, parallelism.slots(), 4, rate * 1_000.0);
    return Crowd.run(table, conditions.partitionSeconds(), List.of(member)).getFirst();
  }

  private static String table(Map<Integer, Map<Parallelism, Ended>> all) {
    List<String> header = new ArrayList<>(List.of("client, KB/s"));
    SLOTS.forEach(slots -> header.add("K = " + slots + ", s"));
    header.addAll(List.of("ASA, s", "its K in the middle"));
    Table table = new Table(header.toArray(String[]::new));
    all.forEach(
        (rate, row) -> {
          List<String> cells = new ArrayList<>(List.of(String.format(Locale.ROOT, "%,d", rate)));
          row.values().forEach(ended -> cells.add(Numbers.seconds(ended.seconds())));
          cells.add(Numbers.one(row.get(Parallelism.ASA).desired()));
          table.add(cells.toArray(String[]::new));
        });
    return "### Figures 6 and 7: Rate of the client\n\n" + table;
  }

  private static List<Claim> claims(Map<Integer, Map<Parallelism, Ended>> all) {
    List<String> needed = new ArrayList<>();
    List<String> slower = new ArrayList<>();
    List<String> beside = new ArrayList<>();
    boolean asPaper = true;
    double slowest = 0;
    double farthest = 0;
    for (Map.Entry<Integer, Map<Parallelism, Ended>> each : all.entrySet()) {
      Map<Parallelism, Ended> row = each.getValue();
      double best = best(row);
      int least =
          SLOTS.stream()
              .filter(slots -> row.get(Parallelism.of(slots)).seconds() <= SUFFICES * best)
              .findFirst()
              .orElseThrow();
      Ended asa = row.get(Parallelism.ASA);
      needed.add(least + " at " + each.getKey());
      asPaper &= least == NEEDED.get(RATES.indexOf(each.getKey()));
      double more = asa.seconds() / best - 1;
      slower.add(Numbers.percent(more) + " at " + each.getKey());
      slowest = Math.max(slowest, more);
      beside.add(Numbers.one(asa.desired()) + " for " + least);
      farthest = Math.max(farthest, Math.abs(asa.desired() - least));
    }
    return List.of(
        new Claim(
            "6", "1, 2, 4, 8 servers are needed (within 10 % of the best)", words(needed), asPaper),
        new Claim(
            "6",
            "(our aim) ASA at most 10 % slower than the best fixed K",
            words(slower),
            slowest <= Claim.TENTH),
        new Claim(
            "6",
            "(our aim) within one server of the least that suffices",
            words(beside),
            farthest <= 1));
  }

  private static double best(Map<Parallelism, Ended> row) {
    return row.entrySet().stream()
        .filter(each -> !each.getKey().equals(Parallelism.ASA))
        .mapToDouble(each -> each.getValue().seconds())
        .min()
        .orElseThrow();
  }

  private static String words(List<String> found) {
    return String.join(", ", found);
  }

  private static Claim overTime(Ended asa) {
    List<Integer> asked = asa.moments().stream().map(PacedClient.Moment::desired).toList();
    int most = Collections.max(asked);
    int last = asked.getLast();
    return new Claim(
        "7",
        "asks for 5 servers at 1,000 KB/s, and goes back to 4; ours may go there at once",
        "at most " + most + ", at the end " + last,
        most <= 5 && asked.contains(4));
  }

  /** Returns K at some moments. */
  private static String moments(Ended asa) {
    Table table = new Table("time, s", "K", "slots that it has");
    double next = 0;
    for (PacedClient.Moment moment : asa.moments()) {
      if (moment.seconds() >= next) {
        table.add(
            Numbers.one(moment.seconds()),
            String.valueOf(moment.desired()),
            String.valueOf(moment.held()));
        next = moment.seconds() + asa.seconds() / 12;
      }
    }
    return "ASA at 1,000 KB/s:\n\n" + table;
  }
}
