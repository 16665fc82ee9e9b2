package io.uniserve.simulation.scenario.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ControlMessage.Lease;
import io.uniserve.runtime.wire.ControlMessage.StateChanges;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.simulation.network.Interception;
import io.uniserve.simulation.run.Scenario;
import io.uniserve.simulation.scenario.SeedSearch;
import io.uniserve.simulation.search.Simulation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests of the scenario with a small cluster. The large one is a command of its own. */
@Execution(ExecutionMode.CONCURRENT)
class ScaleScenarioTest {
  private static final ScaleSize TINY = new ScaleSize(1, 20, 200, 30);

  @Test
  void aDayOfASmallClusterHolds() {
    List<String> told = new ArrayList<>();
    Scenario scenario = new ScaleScenario(ScaleSize.SMALL, told::add);
    Simulation.Outcome outcome = Simulation.play(scenario, Long.getLong("seed", 0));
    assertThat(outcome.seconds()).isGreaterThan(ScaleSize.SMALL.day().toSeconds());
    assertThat(told).anyMatch(line -> line.startsWith("moves: "));
  }

  @Test
  void replaysItsTrace() {
    assertThat(Simulation.play(new ScaleScenario(TINY, line -> {}), 3))
        .isEqualTo(Simulation.play(new ScaleScenario(TINY, line -> {}), 3));
  }

  @Test
  void aLeaseThatEndsTooLateIsNoticed() {
    SeedSearch.assertSomeSeedNotices(
        "servers believe in longer leases than they were granted",
        EnumSet.of(Invariant.ONE_PRIMARY),
        () -> withDefect(new LongerLeases()));
  }

  @Test
  void aRecordThatOneFollowerHearsOtherwiseIsNoticed() {
    SeedSearch.assertSomeSeedNotices(
        "one follower is told another reason for a decision",
        EnumSet.of(Invariant.TOTAL_ORDER),
        () -> withDefect(new OtherReasons()));
  }

  @Test
  void aServerThatIsEndedBeforeItIsEmptyIsNoticed() {
    SeedSearch.assertSomeSeedNotices(
        "a provider ends servers that are being drained",
        EnumSet.of(Invariant.NOTHING_LEFT_BEHIND),
        () -> new ScaleScenario(TINY, line -> {}, new Interception() {}, HastyProvider::new));
  }

  private static Scenario withDefect(Interception defect) {
    return new ScaleScenario(TINY, line -> {}, defect, (provider, newest) -> provider);
  }

  private static final class LongerLeases implements Interception {
    @Override
    public Message reply(String from, String to, Message request, Message reply) {
      return reply instanceof Lease lease ? new Lease(lease.duration().multipliedBy(4)) : reply;
    }
  }

  private static final class OtherReasons implements Interception {
    @Override
    public Message reply(String from, String to, Message request, Message reply) {
      if (!(reply instanceof StateChanges changes) || !to.equals("follower-1")) {
        return reply;
      }
      List<ControlRecord> told = changes.records().stream().map(OtherReasons::otherwise).toList();
      return new StateChanges(changes.afterVersion(), told);
    }

    private static ControlRecord otherwise(ControlRecord record) {
      return record instanceof ControlRecord.ServerFailed failed
          ? new ControlRecord.ServerFailed(failed.server(), failed.incarnation(), "otherwise")
          : record;
    }
  }
}
