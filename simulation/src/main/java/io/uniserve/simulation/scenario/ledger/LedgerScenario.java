package io.uniserve.simulation.scenario.ledger;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.MessageCodec;
import io.uniserve.simulation.RunSettings;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.fault.Fault;
import io.uniserve.simulation.fault.FaultKind;
import io.uniserve.simulation.fault.FaultPlanner;
import io.uniserve.simulation.fault.FaultSchedule;
import io.uniserve.simulation.fault.FaultSettings;
import io.uniserve.simulation.run.Run;
import io.uniserve.simulation.run.Scenario;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A scenario of one client, a first server and three that copy it, with every kind of fault that
 * leaves the disks. Acknowledged numbers survive, the copies never differ but in length, and in the
 * end all have everything.
 */
public final class LedgerScenario implements Scenario {
  private static final String FIRST = "server-0";
  private static final List<String> COPIES = List.of("server-1", "server-2", "server-3");
  private static final List<String> SERVERS =
      Stream.concat(Stream.of(FIRST), COPIES.stream()).toList();
  private static final String CLIENT = "client";
  private static final List<String> PROCESSES =
      Stream.concat(SERVERS.stream(), Stream.of(CLIENT)).toList();
  private static final Duration FAULTS = Duration.ofSeconds(5);
  private static final long NUMBERS = 300;

  private final LedgerSafety safety;

  /**
   * @param safety the safety of the first server's acknowledgements
   */
  public LedgerScenario(LedgerSafety safety) {
    this.safety = safety;
  }

  @Override
  public String name() {
    return safety == LedgerSafety.FORCED ? "ledger" : "ledger-unforced";
  }

  @Override
  public MessageCodec codec() {
    return LedgerMessage.CODEC;
  }

  @Override
  public Run plan(Seed seed) {
    List<Fault> faults =
        FaultPlanner.plan(
            new FaultSettings(
                Stream.of(FaultKind.values())
                    .filter(kind -> kind != FaultKind.DISK_LOSS && !kind.failsDisk())
                    .filter(kind -> kind != FaultKind.FAILING_ENGINE)
                    .toList(),
                SERVERS,
                List.of(),
                List.of(),
                2,
                Duration.ofMillis(400),
                Duration.ofSeconds(1)),
            PROCESSES,
            seed.random("faults"),
            FAULTS.toNanos());
    return new Run(name(), seed.value(), RunSettings.NONE, faults);
  }

  @Override
  public List<String> processes(Run run) {
    return PROCESSES;
  }

  @Override
  public void play(SimulatedCluster cluster, Run planned) {
    LedgerRun run = new LedgerRun(cluster);
    run.start();
    FaultSchedule faults = new FaultSchedule(cluster, planned.faults());
    faults.begin();
    cluster.run(FAULTS);
    faults.stop();
    cluster.runUntil("every number on every server", run::finished, Duration.ofSeconds(120));
  }

  /** One run, and what is known about it from outside. */
  private final class LedgerRun {
    private final SimulatedCluster cluster;
    private final Map<String, LedgerServer> servers = new LinkedHashMap<>();
    private final Map<LedgerServer, Integer> checked = new IdentityHashMap<>();
    private long acknowledged;

    LedgerRun(SimulatedCluster cluster) {
      this.cluster = cluster;
    }

    void start() {
      add(FIRST, COPIES);
      COPIES.forEach(copy -> add(copy, List.of()));
      cluster.add(
          CLIENT,
          environment ->
              new LedgerClient(environment, new Address(FIRST))
                  .append(NUMBERS, number -> acknowledged = number));
      cluster.processes().forEach(process -> process.start());
      cluster.always(this::check);
    }

    private void add(String name, List<String> copies) {
      cluster.add(
          name,
          environment -> {
            LedgerServer server = new LedgerServer(environment, safety);
            servers.put(name, server);
            server.serve(name, copies);
          });
    }

    private void check() {
      servers.forEach(this::checkOrder);
      if (servers.containsKey(FIRST)) {
        int has = servers.get(FIRST).count();
        Invariant.ACKNOWLEDGED_SURVIVES.require(
            has >= acknowledged,
            () -> acknowledged + " are acknowledged, the first server has " + has);
      }
    }

    /** Checks the number at each place, which is known since the client appends 1, 2, 3. */
    private void checkOrder(String name, LedgerServer server) {
      int count = server.count();
      for (int place = checked.getOrDefault(server, 0); place < count; place++) {
        long number = server.number(place);
        long expected = place + 1L;
        Invariant.SAME_ORDER_ON_COPIES.require(
            number == expected, () -> name + " has " + number + " in the place of " + expected);
      }
      checked.put(server, count);
    }

    private boolean finished() {
      return servers.size() == 1 + COPIES.size()
          && servers.values().stream().allMatch(server -> server.count() == NUMBERS);
    }
  }
}
