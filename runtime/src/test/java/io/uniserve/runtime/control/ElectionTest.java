package io.uniserve.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.kernel.Transport.Registration;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.policy.placement.FewestCopies;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.control.settings.PlacementPolicies;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.ControlMessage.CopyReport;
import io.uniserve.runtime.wire.ControlMessage.CopyReport.Outcome;
import io.uniserve.runtime.wire.ControlMessage.CreateTable;
import io.uniserve.runtime.wire.ControlMessage.Join;
import io.uniserve.runtime.wire.ControlMessage.Joined;
import io.uniserve.runtime.wire.ControlMessage.Noted;
import io.uniserve.runtime.wire.ReplicationMessage.Seal;
import io.uniserve.runtime.wire.ReplicationMessage.Sealed;
import io.uniserve.runtime.wire.ServerMessage.Ping;
import io.uniserve.runtime.wire.ServerMessage.Pong;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.Position;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A controller among servers that answer as the test says. */
@Timeout(60)
class ElectionTest {
  private static final Address CONTROLLER = new Address("controller");
  private static final long LOOK_NANOS = 1_000_000;

  private final SystemClock clock = new SystemClock();
  private final InProcessNetwork network = new InProcessNetwork(clock);
  private final LinkedBlockingQueue<Incoming> withheld = new LinkedBlockingQueue<>();
  private Environment environment;
  private Controller controller;
  private volatile boolean withholding;
  private volatile boolean unplaceable;

  @TempDir Path directory;

  @BeforeEach
  void start() throws Exception {
    environment = ProcessFixture.environment(clock, directory, network.attach(CONTROLLER));
    controller =
        new Controller(
            environment,
            CONTROLLER,
            List.of(CONTROLLER),
            new Engines(List.of(new StillEngine(false))),
            PlacementPolicies.without(this::place),
            ControllerSettings.DEFAULT);
    controller.awaitDeciding(Deadline.after(clock, Duration.ofSeconds(10)));
  }

  @AfterEach
  void stop() {
    controller.close();
    network.detach(CONTROLLER);
    clock.close();
  }

  @Test
  void copiesThatPromisedGetAPrimaryEvenIfTheFormerOneIsBackBeforeTheVoteEnds() throws Exception {
    Registration primary = join("s1");
    join("s2");
    long table = ask(new CreateTable(definition(), Optional.empty()), Changed.class).table();
    ActorState made = controller.state().actor(new ActorId(table, 0)).orElseThrow();
    assertThat(made.primary()).isEqualTo("s1");
    ask(
        new CopyReport(
            new ActorId(table, 0), made.copyOn("s2").orElseThrow(), 1, 1, Outcome.READY, "level"),
        Noted.class);
    withholding = true;
    primary.close();
    Incoming vote = withheld.poll(20, TimeUnit.SECONDS);
    withholding = false;
    join("s1");
    sealed(vote);
    Deadline patience = Deadline.after(clock, Duration.ofSeconds(10));
    while (controller.state().actor(new ActorId(table, 0)).orElseThrow().epoch() < 2) {
      patience.check(clock, "s2 may follow nobody in epoch 1 any more: " + controller.state());
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  @Test
  void whatAPolicyFailsAtKeepsNoActorFromGettingAPrimary() throws Exception {
    Map<String, Registration> servers = new TreeMap<>();
    for (String server : List.of("s1", "s2", "s3")) {
      servers.put(server, join(server));
    }
    long table = ask(new CreateTable(definition(), Optional.empty()), Changed.class).table();
    ActorId id = new ActorId(table, 0);
    ActorState made = controller.state().actor(id).orElseThrow();
    String other = made.copies().get(1).server();
    ask(
        new CopyReport(id, made.copyOn(other).orElseThrow(), 1, 1, Outcome.READY, "level"),
        Noted.class);
    unplaceable = true;
    withholding = true;
    servers.get(made.primary()).close();
    assertThat(withheld.poll(20, TimeUnit.SECONDS)).as("a vote that never comes").isNotNull();
    withholding = false;
    Deadline patience = Deadline.after(clock, Duration.ofSeconds(20));
    while (!controller.state().actor(id).orElseThrow().primary().equals(other)) {
      patience.check(clock, other + " is asked again: " + controller.state());
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private Placement place(ClusterLoad load) {
    if (unplaceable) {
      throw new IllegalStateException("a policy with a defect");
    }
    return new FewestCopies().place(load);
  }

  private Registration join(String server) {
    Address address = new Address(server);
    Registration registration =
        environment.transport().listen(address, (request, call) -> answer(server, request, call));
    ask(new Join("", server, address), Joined.class);
    return registration;
  }

  private void answer(String server, Message request, Incoming call) {
    switch (request) {
      case Ping ping -> {
        call.reply(new Pong(server, controller.state().servers().get(server).incarnation()));
        call.complete();
      }
      case Seal seal when withholding -> withheld.add(call);
      case Seal seal -> sealed(call);
      default -> throw new IllegalStateException("unexpected: " + request);
    }
  }

  private static void sealed(Incoming call) {
    call.reply(new Sealed(true, Position.START));
    call.complete();
  }

  private <T extends Message> T ask(Message request, Class<T> reply) {
    return Calls.ask(
        environment, CONTROLLER, request, reply, Deadline.after(clock, Duration.ofSeconds(5)));
  }

  private static TableDefinition definition() {
    return new TableDefinition(
        "t", StillEngine.NAME, new Partitioner.Hash(1), 2, Durability.NONE, Map.of());
  }
}
