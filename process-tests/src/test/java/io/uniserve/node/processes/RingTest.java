package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.api.partition.RingPlaces;
import io.uniserve.node.processes.Faults.Kind;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.runtime.wire.ring.RingPlacement;
import io.uniserve.runtime.wire.ring.RingState;
import io.uniserve.simulation.model.JournalsByActor;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.ReadJournal;
import io.uniserve.testkit.tools.Hosts;
import io.uniserve.testkit.tools.Namespaces;
import io.uniserve.testkit.tools.Tools;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changes of a ring of real processes under pipelined sessions of ordered updates, one of which
 * mixes both ways, while servers and the leading controller are killed, stopped and cut off.
 * Nothing may be lost, doubled or reordered, and no read may fail.
 */
@Tag("processes")
@Timeout(900)
class RingTest {
  private static final String TABLE = "ring";
  private static final int CONTROLLERS = 3;
  private static final int SERVERS = 5;
  private static final int ACTORS = 3;
  private static final Partitioner PARTITIONER = new Partitioner.Hash(ACTORS);
  private static final Duration TIMEOUT = Duration.ofSeconds(120);

  /** The longest time for which victims are stopped or cut off, once they are given up. */
  private static final Duration AWAY = Duration.ofSeconds(1);

  /** Updates and answers for the rest of a fault. */
  private static final int ROUND = 100;

  @TempDir private Path directory;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong reads = new AtomicLong();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private ProcessCluster cluster;
  private RemoteCluster remote;
  private ClusterClient client;
  private Faults faults;
  private List<SessionLoad> sessions;
  private volatile boolean stopped;

  @Test
  void changesUnderFaultsLoseNothing() throws IOException {
    Optional<Namespaces> network = Tools.namespacesIfPossible();
    Hosts hosts = network.map(Hosts.class::cast).orElse(Hosts.LOOPBACK);
    try (hosts;
        ProcessCluster started = ProcessCluster.start(directory, hosts, CONTROLLERS, SERVERS);
        RemoteCluster connected = started.connect();
        RealClient real = new RealClient(started.controllers(), directory, tap -> tap)) {
      cluster = started;
      remote = connected;
      client = real.client();
      faults = new Faults(started, network, Optional.empty(), new Random(1));
      create();
      SessionLoad ordered = new SessionLoad(client, TABLE, SessionLoad.Way.ORDER);
      SessionLoad brief = new SessionLoad(client, TABLE, SessionLoad.Way.SHORT);
      sessions = List.of(ordered, brief);
      try {
        threads.execute(this::read);
        awaitWork();
        changeUnderFaults();
        awaitWork();
        assertThat(shortUpdates()).as("updates counted on the short way").isPositive();
      } finally {
        stopped = true;
        sessions.forEach(SessionLoad::close);
        threads.close();
      }
      System.out.printf(
          "%d reads, %d failed; changes: %s%n", reads.get(), failures.size(), ring().ended());
      assertThat(failures).isEmpty();
      sessions.forEach(SessionLoad::finish);
      long head = client.admin().order(TABLE, TIMEOUT).head();
      assertThat(head)
          .as("places in the order, of %s", sessions)
          .isPositive()
          .isLessThan(ordered.submitted() + brief.submitted() / 2);
    }
  }

  private void create() {
    TableDefinition table =
        new TableDefinition(
            TABLE,
            ModelEngine.NAME,
            PARTITIONER,
            2,
            Durability.NONE,
            Consistency.ORDERED,
            Map.of());
    RingPlacement placement = new RingPlacement(List.of("s1", "s2", "s3"));
    Waiting.forTable(TABLE, () -> client.tables().createTable(table, placement, TIMEOUT));
  }

  private void changeUnderFaults() throws IOException {
    change(new RingChange.Expand("s4", RingPlaces.parse(PARTITIONER, "0.5")));
    change(new RingChange.Contract("s2"));
    strike(Kind.KILL, "s1");
    change(new RingChange.Replace("s3", "s5"));
    change(new RingChange.Expand("s2", RingPlaces.parse(PARTITIONER, "1.5")));
    strike(Kind.KILL, cluster.leader(remote));
    change(new RingChange.Rebalance("s2", RingPlaces.parse(PARTITIONER, "2.5")));
    strike(Kind.PAUSE, "s4");
    change(new RingChange.Contract("s4"));
    strike(Kind.PAUSE, cluster.leader(remote));
    change(new RingChange.Expand("s3", RingPlaces.parse(PARTITIONER, "0.5")));
    strikeIfPossible(Kind.PARTITION, "s5");
    change(new RingChange.Replace("s2", "s4"));
    strikeIfPossible(Kind.PARTITION, cluster.leader(remote));
    long last = ring().submitted();
    Waiting.until("all changes", () -> ring().queue().isEmpty());
    assertThat(ring().ended()).extracting(RingState.Ended::number).contains(last);
  }

  /** Returns how many updates primaries have counted on the short way since they began. */
  private long shortUpdates() {
    return client.view().statuses(TIMEOUT).stream()
        .flatMap(server -> server.actors().stream())
        .mapToLong(ServerStatus.ActorStatus::shortUpdates)
        .sum();
  }

  private RingState ring() {
    return client.state().table(TABLE).flatMap(TableState::ring).orElseThrow();
  }

  private void change(RingChange change) {
    client.admin().changeRing(TABLE, change, Optional.empty(), Duration.ofSeconds(60));
  }

  private void strikeIfPossible(Kind kind, String victim) throws IOException {
    if (faults.kinds().contains(kind)) {
      strike(kind, victim);
    }
  }

  /** Has a fault begin while the ring changes, and end after work that began during it. */
  private void strike(Kind kind, String victim) throws IOException {
    long first = ring().submitted();
    Waiting.until(
        "the beginning of a change",
        () ->
            ring().queue().isEmpty()
                || ring().queue().getFirst().placed()
                || ring().queue().getFirst().number() == first);
    long began = System.nanoTime();
    faults.begin(kind, List.of(victim));
    awaitWork();
    LockSupport.parkNanos(AWAY.toNanos());
    faults.end(kind, List.of(victim));
    cluster.await("all copies", ProcessCluster::ready);
    System.out.printf(
        "%s of %s, %d ms: %s%n",
        kind, victim, Duration.ofNanos(System.nanoTime() - began).toMillis(), sessions);
    awaitWork();
  }

  /** Waits for updates and reads that begin and end after this moment. */
  private void awaitWork() {
    long answers = reads.get() + 2;
    sessions.forEach(session -> session.await(ROUND));
    Waiting.until("reads", () -> !failures.isEmpty() || reads.get() >= answers);
  }

  private void read() {
    while (!stopped) {
      try {
        client.query(
            Plan.query(TABLE, new ReadJournal(1_000), new JournalsByActor()), QueryOptions.DEFAULT);
        reads.incrementAndGet();
      } catch (UniserveException e) {
        failures.add("a read failed: " + e.code() + " " + e.getMessage());
      }
      Waiting.think();
    }
  }
}
