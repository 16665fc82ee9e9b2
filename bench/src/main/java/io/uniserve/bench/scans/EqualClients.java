package io.uniserve.bench.scans;

import io.uniserve.bench.report.Table;
import io.uniserve.bench.scans.PacedClient.Ended;
import io.uniserve.policy.scanning.FirstCome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Four scans of clients of the same rate at once, first come first served (Fig. 8). */
final class EqualClients implements Experiment {
  private static final List<Integer> RATES = List.of(250, 500, 1_000, 2_000);
  private static final List<Parallelism> WAYS =
      List.of(Parallelism.of(1), Parallelism.of(2), Parallelism.of(10), Parallelism.ASA);
  private static final int SCANS = 4;
  private static final int PARTITIONS = 10;
  private static final int BETWEEN = 17;

  @Override
  public String name() {
    return "8";
  }

  @Override
  public Result run(Conditions conditions) {
    Map<Integer, Map<Parallelism, Double>> all = new LinkedHashMap<>();
    List<Slow> slow;
    try (PacedTable table = conditions.table(new FirstCome())) {
      for (int rate : conditions.quick() ? List.of(250) : RATES) {
        Map<Parallelism, Double> row = new LinkedHashMap<>();
        for (Parallelism way : WAYS) {
          row.put(way, seconds(table, conditions, rate, way));
        }
        all.put(rate, row);
      }
      slow = slow(table, conditions);
    }
    return new Result(table(all) + "\n\n" + slowTable(slow), claims(all, slow));
  }

  private static double seconds(
      PacedTable table, Conditions conditions, int rate, Parallelism way) {
    return last(Crowd.run(table, conditions.partitionSeconds(), members(rate, way)));
  }

  private static List<Crowd.Member> members(int rate, Parallelism way) {
    List<Crowd.Member> members = new ArrayList<>();
    for (int i = 0; i < SCANS; i++) {
      members.add(new Crowd.Member(0, i * BETWEEN, PARTITIONS, way.slots(), 4, rate * 1_000.0));
    }
    return members;
  }

  private static double last(List<Ended> scans) {
    return scans.stream().mapToDouble(Ended::seconds).max().orElseThrow();
  }

  /**
   * The times of slow clients where slots are held, as in the paper, and with pages.
   *
   * @param held all servers for each scan, slots held
   * @param pages all servers for each scan, pages
   * @param asa ASA, pages
   */
  private record Slow(int rate, double held, double pages, double asa) {}

  /** Measures slow clients of ranges that are shorter still: their partitions take long if held. */
  private static List<Slow> slow(PacedTable table, Conditions conditions) {
    double partition = conditions.faster(Crowd.HELD_FASTER).partitionSeconds();
    List<Slow> all = new ArrayList<>();
    for (int rate : conditions.quick() ? List.of(500) : List.of(250, 500)) {
      List<Crowd.Member> everything = members(rate, Parallelism.of(PacedTable.SERVERS));
      all.add(
          new Slow(
              rate,
              last(Crowd.runHolding(table, partition, everything)),
              last(Crowd.run(table, partition, everything)),
              last(Crowd.run(table, partition, members(rate, Parallelism.ASA)))));
    }
    return all;
  }

  private static String slowTable(List<Slow> all) {
    Table table =
        new Table(
            "clients, KB/s",
            "all servers, slots held, s",
            "all servers, pages, s",
            "ASA, pages, s");
    for (Slow each : all) {
      table.add(
          String.valueOf(each.rate()),
          Numbers.seconds(each.held()),
          Numbers.seconds(each.pages()),
          Numbers.seconds(each.asa()));
    }
    return "The same with partitions that are shorter by a factor of 8. In the first column a server holds its slot until the client has consumed a"
        + " whole partition, as in the paper:\n\n"
        + table;
  }

  private static String table(Map<Integer, Map<Parallelism, Double>> all) {
    List<String> header = new ArrayList<>(List.of("clients, KB/s"));
    WAYS.forEach(way -> header.add(way + ", s"));
    Table table = new Table(header.toArray(String[]::new));
    all.forEach(
        (rate, row) -> {
          List<String> cells = new ArrayList<>(List.of(String.format(Locale.ROOT, "%,d", rate)));
          row.values().forEach(seconds -> cells.add(Numbers.seconds(seconds)));
          table.add(cells.toArray(String[]::new));
        });
    return "### Figure 8: Four scans, equal clients\n\nUntil all have ended, first come first served.\n\n"
        + table;
  }

  private static List<Claim> claims(Map<Integer, Map<Parallelism, Double>> all, List<Slow> held) {
    List<String> slower = new ArrayList<>();
    double slowest = 0;
    for (Map.Entry<Integer, Map<Parallelism, Double>> each : all.entrySet()) {
      double best =
          WAYS.stream()
              .filter(way -> !way.equals(Parallelism.ASA))
              .mapToDouble(each.getValue()::get)
              .min()
              .orElseThrow();
      double more = each.getValue().get(Parallelism.ASA) / best - 1;
      slowest = Math.max(slowest, more);
      slower.add(Numbers.percent(more) + " at " + each.getKey());
    }
    List<Claim> claims = new ArrayList<>();
    claims.add(
        new Claim(
            "8",
            "(our aim) ASA at most 10 % slower than the best fixed K",
            String.join(", ", slower),
            slowest <= Claim.TENTH));
    Slow first = held.getFirst();
    double times = first.held() / first.asa();
    claims.add(
        new Claim(
            "8",
            "with slow clients ASA is 2 to 3 times as fast as all servers for each, whose slots are held",
            String.format(Locale.ROOT, "%.1f times at %d KB/s", times, first.rate()),
            times >= 2));
    double paged = first.pages() / first.asa();
    claims.add(
        new Claim(
            "8",
            "(ours) with pages a slow client holds no slot, whatever its K",
            String.format(
                Locale.ROOT,
                "all servers take %.2f times as long as ASA at %d KB/s",
                paged,
                first.rate()),
            paged <= 1 + Claim.TENTH));
    if (all.containsKey(2_000)) {
      double one = all.get(2_000).get(Parallelism.of(1)) / all.get(2_000).get(Parallelism.ASA);
      claims.add(
          new Claim(
              "8",
              "K = 1 is bad for fast clients",
              String.format(Locale.ROOT, "%.1f times the time of ASA at 2,000 KB/s", one),
              one > 1.5));
    }
    return claims;
  }
}
