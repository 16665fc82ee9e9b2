package io.uniserve.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.policy.placement.FewestCopies;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.log.ReplicatedState;
import io.uniserve.runtime.control.log.StillQuorum;
import io.uniserve.runtime.control.placement.Placer;
import io.uniserve.runtime.control.scaling.ScalingParts;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.control.settings.PlacementPolicies;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillCaller;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.still.StillTimers;
import io.uniserve.runtime.still.StillTransport;
import io.uniserve.runtime.wire.ControlMessage.Heartbeat;
import io.uniserve.runtime.wire.ControlMessage.Join;
import io.uniserve.runtime.wire.ControlMessage.Joined;
import io.uniserve.runtime.wire.ControlMessage.Lease;
import io.uniserve.runtime.wire.ControlMessage.Noted;
import io.uniserve.runtime.wire.ControlMessage.Suspect;
import io.uniserve.runtime.wire.LoadMessage.LoadNoted;
import io.uniserve.runtime.wire.LoadMessage.ReportQueries;
import io.uniserve.runtime.wire.entry.Engines;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LeaderTermTest {
  private final StillTimers clock = new StillTimers(StillClock.ofWaits());
  private final StillQuorum quorum = new StillQuorum();
  private LeaderTerm term;

  @BeforeEach
  void begin(@TempDir Path directory) throws Exception {
    ProductionEnvironment environment =
        ProcessFixture.environment(clock, directory, new StillTransport());
    term =
        new LeaderTerm(
            environment,
            quorum,
            new ReplicatedState(),
            1,
            new Engines(List.of()),
            new Placer(
                PlacementPolicies.without(new FewestCopies()),
                environment.threads().workers("placement", 1)),
            ScalingParts.NONE,
            ControllerSettings.DEFAULT);
    term.start();
    quorum.agree(); // the record of the cluster's foundation
    StillCaller joins = asks(new Join("", "s1", new Address("s1")));
    quorum.agree();
    assertThat(joins.next()).isInstanceOf(Joined.class);
  }

  @AfterEach
  void end() {
    term.stop();
    term.awaitEnd();
  }

  private StillCaller asks(Message request) {
    StillCaller caller = new StillCaller(clock);
    term.decide(request, caller);
    return caller;
  }

  /**
   * Servers send both all the time. A message to each controller for every one would be most of all
   * messages.
   */
  @Test
  void heartbeatsAndReportsOfLoadShareAConfirmation() throws Exception {
    int before = clock.count();
    List<StillCaller> servers =
        Stream.generate(() -> asks(new Heartbeat("s1", 1, 0))).limit(3).toList();
    StillCaller client = asks(new ReportQueries("c1", List.of(), 0));
    while (clock.count() == before && !quorum.isAsked()) {
      Thread.onSpinWait();
    }
    assertThat(quorum.isAsked()).isFalse();

    clock.pass(Decisions.NO_HURRY);
    quorum.agree();
    for (StillCaller server : servers) {
      assertThat(server.next()).isInstanceOf(Lease.class);
    }
    assertThat(client.next()).isInstanceOf(LoadNoted.class);
  }

  @Test
  void othersAreAnsweredAtOnce() throws Exception {
    StillCaller caller = asks(new Suspect("s9", 1, "no answer"));
    quorum.agree();
    assertThat(caller.next()).isInstanceOf(Noted.class);
  }
}
