package io.uniserve.bench.scans;

import io.uniserve.bench.report.Table;
import io.uniserve.bench.scans.PacedClient.Ended;
import io.uniserve.policy.scanning.FirstCome;
import io.uniserve.policy.scanning.GrantPolicy;
import io.uniserve.policy.scanning.PriorityBiased;
import io.uniserve.policy.scanning.RoundRobin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Four clients with four scans each of different lengths, by policies (Fig. 10). */
final class LengthPolicies implements Experiment {
  private static final List<Integer> LENGTHS = List.of(10, 20, 40, 80);
  private static final int CLIENTS = 4;

  /** The ranges are so short that the longest scans end in a minute. */
  private static final double FASTER = 4;

  @Override
  public String name() {
    return "10";
  }

  /**
   * The scans of one length under one policy.
   *
   * @param first the mean time to the first result
   * @param mean the mean time to the end
   * @param most the longest time to the end
   */
  private record Bar(double first, double mean, double most) {
    static Bar of(List<Ended> scans) {
      return new Bar(
          scans.stream().mapToDouble(Ended::firstSeconds).average().orElseThrow(),
          scans.stream().mapToDouble(Ended::seconds).average().orElseThrow(),
          scans.stream().mapToDouble(Ended::seconds).max().orElseThrow());
    }
  }

  @Override
  public Result run(Conditions conditions) {
    Map<String, GrantPolicy> policies = new LinkedHashMap<>();
    policies.put("FIFO", new FirstCome());
    policies.put("round robin", new RoundRobin());
    policies.put("α = 2", new PriorityBiased(2));
    policies.put("α = -2", new PriorityBiased(-2));
    Map<String, Map<Integer, Bar>> all = new LinkedHashMap<>();
    policies.forEach((name, policy) -> all.put(name, run(conditions.faster(FASTER), policy)));
    return new Result(table(all), claims(all));
  }

  private static Map<Integer, Bar> run(Conditions conditions, GrantPolicy policy) {
    RandomGenerator random = RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(10);
    List<Crowd.Member> members = new ArrayList<>();
    List<Integer> lengths = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      List<Integer> order = new ArrayList<>(LENGTHS);
      Collections.rotate(order, client); // each client asks in another order
      for (int length : order) {
        int first = random.nextInt(PacedTable.PARTITIONS - length + 1);
        double priority = length / LENGTHS.getFirst(); // in proportion to MC
        members.add(
            new Crowd.Member(
                members.size() * 0.005,
                first,
                length,
                Parallelism.ASA.slots(),
                priority,
                Double.POSITIVE_INFINITY));
        lengths.add(length);
      }
    }
    try (PacedTable table = conditions.table(policy)) {
      List<Ended> ended = Crowd.run(table, conditions.partitionSeconds(), members);
      Map<Integer, Bar> bars = new LinkedHashMap<>();
      for (int length : LENGTHS) {
        List<Ended> some = new ArrayList<>();
        for (int i = 0; i < ended.size(); i++) {
          if (lengths.get(i) == length) {
            some.add(ended.get(i));
          }
        }
        bars.put(length, Bar.of(some));
      }
      return bars;
    }
  }

  private static String table(Map<String, Map<Integer, Bar>> all) {
    List<String> header = new ArrayList<>(List.of("first result / mean end / last end, s"));
    LENGTHS.forEach(length -> header.add(length / LENGTHS.getFirst() + " %"));
    Table table = new Table(header.toArray(String[]::new));
    all.forEach(
        (name, bars) -> {
          List<String> cells = new ArrayList<>(List.of(name));
          bars.values()
              .forEach(
                  bar ->
                      cells.add(
                          String.format(
                              Locale.ROOT, "%.1f / %.1f / %.1f", bar.first, bar.mean, bar.most)));
          table.add(cells.toArray(String[]::new));
        });
    return "### Figure 10: Policies and lengths\n\nSixteen scans at once by fast clients; P is in proportion to the least time of a scan.\n\n"
        + table;
  }

  private static List<Claim> claims(Map<String, Map<Integer, Bar>> all) {
    double fifo = first(all.get("FIFO"));
    double robin = first(all.get("round robin"));
    double biased = first(all.get("α = 2"));
    double shortRobin = all.get("round robin").get(10).mean();
    double shortBiased = all.get("α = 2").get(10).mean();
    double shortReversed = all.get("α = -2").get(10).mean();
    double least = all.values().stream().mapToDouble(LengthPolicies::last).min().orElseThrow();
    double most = all.values().stream().mapToDouble(LengthPolicies::last).max().orElseThrow();
    return List.of(
        new Claim(
            "10",
            "FIFO: late first results; with the others none waits long",
            String.format(
                Locale.ROOT,
                "mean %.1f s with FIFO, %.1f s with round robin, %.1f s with α = 2",
                fifo,
                robin,
                biased),
            fifo > 3 * robin && fifo > 3 * biased),
        new Claim(
            "10",
            "α above 0 favours short scans, below 0 long ones",
            String.format(
                Locale.ROOT,
                "1 %%: %.1f s with α = 2, %.1f s with round robin, %.1f s with α = -2",
                shortBiased,
                shortRobin,
                shortReversed),
            shortBiased < shortRobin && shortReversed > shortRobin),
        new Claim(
            "10",
            "the completion of all is not affected (within 10 %)",
            String.format(Locale.ROOT, "%.1f to %.1f s", least, most),
            most <= (1 + Claim.TENTH) * least));
  }

  private static double first(Map<Integer, Bar> bars) {
    return bars.values().stream().mapToDouble(Bar::first).average().orElseThrow();
  }

  private static double last(Map<Integer, Bar> bars) {
    return bars.values().stream().mapToDouble(Bar::most).max().orElseThrow();
  }
}
