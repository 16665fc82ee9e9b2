package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.processes.Faults.Kind;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.testkit.tools.Namespaces;
import io.uniserve.testkit.tools.Tools;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of real processes under {@code kill -9}, {@code SIGSTOP} and partitions, one fault after
 * another, while notes are stored and counted. There is one fault of each kind. {@code
 * -Dfaults.seconds=600} continues for ten minutes, {@code -Dfaults.seed=N} selects other faults.
 */
@Tag("processes")
@Timeout(1800)
class FaultsTest {
  private static final int CONTROLLERS = 3;
  private static final int SERVERS = 4;
  private static final List<Kind> KINDS = List.of(Kind.KILL, Kind.PAUSE, Kind.PARTITION);
  private static final long SEED = Long.getLong("faults.seed", 1);
  private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("faults.seconds", 0));

  @TempDir private Path directory;
  private final Random random = new Random(SEED);
  private Faults faults;
  private ProcessCluster cluster;
  private RemoteCluster remote;

  @Test
  void nothingAcknowledgedIsLostAndEveryAnswerIsExact() throws IOException {
    try (Namespaces made = Tools.namespaces();
        ProcessCluster started = ProcessCluster.start(directory, made, CONTROLLERS, SERVERS);
        RemoteCluster connected = started.connect()) {
      faults = new Faults(started, Optional.of(made), Optional.empty(), random);
      cluster = started;
      remote = connected;
      try (NotesLoad copies = NotesLoad.begin(remote, "copies", 3, "none");
          NotesLoad stored = NotesLoad.begin(remote, "stored", 1, "synchronous")) {
        List<NotesLoad> loads = List.of(copies, stored);
        loads.forEach(load -> load.awaitRounds(20));
        long end = System.nanoTime() + LENGTH.toNanos();
        for (int fault = 0; fault < KINDS.size() || System.nanoTime() < end; fault++) {
          strike(KINDS.get(fault % KINDS.size()), loads);
        }
        loads.forEach(NotesLoad::finish);
        assertThat(copies.violations()).as("seed " + SEED).isEmpty();
        assertThat(stored.violations()).as("seed " + SEED).isEmpty();
      }
    }
  }

  /** Begins a fault, waits for work during it, ends it, and waits for work after it. */
  private void strike(Kind kind, List<NotesLoad> loads) throws IOException {
    List<String> victims = victims(kind);
    System.out.println(kind + " " + victims);
    faults.begin(kind, victims);
    if (random.nextBoolean()) {
      cluster.await("notice of " + kind + " " + victims, state -> noticed(victims, state));
    }
    loads.getFirst().awaitRounds(5);
    faults.end(kind, victims);
    cluster.await("an end of " + kind + " " + victims, this::isWhole);
    loads.forEach(load -> load.awaitRounds(10));
  }

  /** Returns a server, a controller, or for a partition one of each. */
  private List<String> victims(Kind kind) {
    List<String> victims = new ArrayList<>();
    int choice = random.nextInt(3);
    if (choice != 1 || kind == Kind.PARTITION) {
      victims.add("s" + (1 + random.nextInt(SERVERS)));
    }
    if (choice == 1 || choice == 2 && kind == Kind.PARTITION) {
      victims.add("r" + (1 + random.nextInt(CONTROLLERS)));
    }
    return victims;
  }

  private boolean noticed(List<String> victims, Map<String, Object> state) {
    long servers = victims.stream().filter(victim -> victim.startsWith("s")).count();
    return ProcessCluster.alive(state) == SERVERS - servers
        && ProcessCluster.voting(remote) == CONTROLLERS - (victims.size() - servers);
  }

  private boolean isWhole(Map<String, Object> state) {
    return ProcessCluster.alive(state) == SERVERS
        && ProcessCluster.ready(state)
        && ProcessCluster.voting(remote) == CONTROLLERS;
  }
}
