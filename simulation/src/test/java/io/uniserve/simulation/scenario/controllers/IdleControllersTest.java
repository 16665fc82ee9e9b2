package io.uniserve.simulation.scenario.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.kernel.Message;
import io.uniserve.runtime.control.raft.RaftSettings;
import io.uniserve.runtime.wire.ConsensusMessage.AppendEntries;
import io.uniserve.runtime.wire.ConsensusMessage.Envelope;
import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.simulation.ClusterSettings;
import io.uniserve.simulation.RunSettings;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.network.Interception;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The messages between controllers while nobody makes a request. */
class IdleControllersTest {
  private static final int CONTROLLERS = 3;
  private static final int TIMEOUTS = 40;

  private static final class Heartbeats implements Interception {
    private int count;

    @Override
    public Message request(String from, String to, Message request) {
      count += request instanceof Envelope said && said.message() instanceof AppendEntries ? 1 : 0;
      return request;
    }
  }

  /**
   * Heartbeats are frequent enough that one may be lost, and not so frequent that they are most of
   * the messages.
   */
  @Test
  void aLeaderIsHeardOfFourToFiveTimesInATimeout() {
    RunSettings shape =
        RunSettings.NONE
            .with("routers", CONTROLLERS)
            .with("snapshotBytes", 4_000)
            .with("snapshotEntries", 100);
    try (SimulatedCluster cluster =
        new SimulatedCluster(
            new Seed(1), new WireCodec(new Engines(List.of())), ClusterSettings.DEFAULT)) {
      ControllersRun run = new ControllersRun(cluster, shape, UnaryOperator.identity());
      run.start();
      cluster.runUntil("a controller decides", run::decided, Duration.ofSeconds(10));
      run.stop();
      cluster.runUntil("all is answered", run::finished, Duration.ofSeconds(10));
      cluster.runUntil("all are level", run::level, Duration.ofSeconds(10));
      Heartbeats heartbeats = new Heartbeats();
      cluster.network().intercept(heartbeats);
      cluster.run(RaftSettings.DEFAULT.failureTimeout().multipliedBy(TIMEOUTS));
      int followers = CONTROLLERS - 1;
      assertThat((double) heartbeats.count / followers / TIMEOUTS).isBetween(4.0, 5.0);
    }
  }
}
