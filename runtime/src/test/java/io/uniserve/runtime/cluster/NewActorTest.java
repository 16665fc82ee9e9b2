package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.client.context.ClientSettings;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.server.Server;
import io.uniserve.runtime.server.base.ServerSettings;
import io.uniserve.runtime.store.backup.ActorBackups;
import io.uniserve.runtime.store.location.DurableStores;
import io.uniserve.runtime.wire.ControlMessage.AskVersion;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.ControlMessage.CopyReport;
import io.uniserve.runtime.wire.ControlMessage.Heartbeat;
import io.uniserve.runtime.wire.ControlMessage.Joined;
import io.uniserve.runtime.wire.ControlMessage.Lease;
import io.uniserve.runtime.wire.ControlMessage.NotLeader;
import io.uniserve.runtime.wire.ControlMessage.Noted;
import io.uniserve.runtime.wire.ControlMessage.StateChanges;
import io.uniserve.runtime.wire.ControlMessage.Submit;
import io.uniserve.runtime.wire.ControlMessage.Subscribe;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.ClusterFounded;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyReady;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerJoined;
import io.uniserve.runtime.wire.cluster.ControlRecord.TableCreated;
import io.uniserve.runtime.wire.entry.Engines;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server whose new actor no controller knows to be readable. The test plays the controller. */
@Timeout(60)
class NewActorTest {
  private static final Address CONTROLLER = new Address("controller");
  private static final TableDefinition TABLE =
      new TableDefinition("t", "tally", new Partitioner.Hash(1), 1, Durability.NONE, Map.of());
  private static final List<ControlRecord> RECORDS =
      List.of(
          new ClusterFounded("c"),
          new ServerJoined("s", new Address("s"), 1),
          new TableCreated(1, TABLE, List.of(List.of("s"))));

  @TempDir private Path directory;

  private final SystemClock clock = new SystemClock();
  private final ProductionThreads threads = new ProductionThreads();
  private final InProcessNetwork network = new InProcessNetwork(clock);
  private final Engines engines = new Engines(List.of(new TallyEngine()));
  private final Queue<Incoming> subscribers = new ConcurrentLinkedQueue<>();
  private final CountDownLatch made = new CountDownLatch(1);

  /** Any copy may lead until then, and another one would not have the update. */
  @Test
  void acknowledgesNothingBeforeItIsKnownToBeReadable() throws Exception {
    environment("controller").transport().listen(CONTROLLER, this::play);
    ProductionEnvironment environment = environment("s");
    ActorBackups backups =
        new ActorBackups(
            DurableStores.open(
                directory.resolve("store").toUri().toString(), clock, environment.random()),
            environment);
    try (Server _ =
            new Server(
                environment,
                "s",
                new Address("s"),
                List.of(CONTROLLER),
                engines,
                backups,
                ServerSettings.forProcessors(2));
        ClusterClient client =
            new ClusterClient(
                environment("client"), List.of(CONTROLLER), engines, ClientSettings.DEFAULT)) {
      made.await();
      assertThatThrownBy(() -> add(client, Duration.ofSeconds(1)))
          .isInstanceOf(UniserveException.class)
          .hasMessageContaining("actor 0 of table 't' is being made");
      List<ControlRecord> ready = List.of(new CopyReady(new ActorId(1, 0), "s"));
      subscribers.forEach(call -> call.reply(new StateChanges(RECORDS.size(), ready)));
      add(client, Duration.ofSeconds(20));
    } finally {
      clock.close();
    }
  }

  private static void add(ClusterClient client, Duration timeout) {
    client.update(
        "t",
        new Add(),
        List.of(new Amount("a", 1)),
        new UpdateOptions(timeout, UpdateOptions.Acknowledgement.PRIMARY, Optional.empty()));
  }

  private void play(Message request, Incoming call) {
    switch (request) {
      case Subscribe subscribe -> {
        subscribers.add(call);
        call.reply(new StateChanges(0, RECORDS));
        return;
      }
      case Submit join -> call.reply(new Joined("c", 1, 2));
      case Heartbeat beat -> call.reply(new Lease(Duration.ofSeconds(5)));
      case AskVersion ask -> call.reply(new Changed(0, RECORDS.size()));
      case CopyReport report -> {
        if (report.outcome() == CopyReport.Outcome.READY) {
          made.countDown();
        }
        call.reply(new Noted());
      }
      default -> call.reply(new NotLeader(Optional.empty()));
    }
    call.complete();
  }

  private ProductionEnvironment environment(String process) throws IOException {
    return new ProductionEnvironment(
        clock,
        threads,
        new FileStorage(directory.resolve(process)),
        ProductionEnvironment.unseeded(),
        network.attach(new Address(process)));
  }
}
