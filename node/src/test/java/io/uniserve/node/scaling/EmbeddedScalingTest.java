package io.uniserve.node.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.api.policy.ScalingPolicy;
import io.uniserve.api.policy.ScalingView;
import io.uniserve.node.cluster.StateWait;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.node.notes.FindNotes;
import io.uniserve.node.notes.Note;
import io.uniserve.node.notes.NotesEngine;
import io.uniserve.node.notes.PutNotes;
import io.uniserve.runtime.client.ClusterView;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyReady;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class EmbeddedScalingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int NOTES = 200;

  @TempDir private Path directory;
  private final AtomicInteger wanted = new AtomicInteger(2);

  /** A policy that wants what the test wants. */
  private final ScalingPolicy steered =
      new ScalingPolicy() {
        @Override
        public String name() {
          return "steered";
        }

        @Override
        public Decision decide(ScalingView cluster) {
          return new Decision(wanted.get(), List.of("s1"), "the test wants it");
        }
      };

  private EmbeddedCluster start() {
    return EmbeddedCluster.start(
        new EmbeddedSettings(directory, 2, List.of(new NotesEngine()), Optional.empty())
            .withScalingPolicies(List.of(steered)));
  }

  private static void follow(UniserveClient client, int min, int max) {
    client
        .admin()
        .scale(
            new ScalingSettings(min, max, "own:steered", Duration.ofMillis(100), false), PATIENCE);
  }

  @Test
  void growsAndShrinksWithoutAFailedQuery() {
    try (EmbeddedCluster cluster = start();
        Counting counting = new Counting(cluster.client())) {
      UniserveClient client = cluster.client();
      follow(client, 2, 5);
      wanted.set(5);
      await(client, state -> holders(state, "s1", "s2", "s3", "s4", "s5"), "five servers in use");
      assertThat(cluster.serverNames()).containsExactly("s1", "s2", "s3", "s4", "s5");
      wanted.set(3);
      await(client, state -> alive(state) == 3 && settled(state), "three servers");
      assertThat(client.state().scaling().fleet()).containsExactly("s2", "s3", "s4");
      awaitThreads(cluster, "s2", "s3", "s4");
      wanted.set(4);
      await(client, state -> holders(state, "s1", "s2", "s3", "s4"), "s1 in use again");
      assertThat(counting.failures).isEmpty();
      assertThat(counting.rounds).hasPositiveValue();
    }
  }

  /** A server that is to end is first recorded to be leaving, and then holds nothing any more. */
  @Test
  void aServerEndsOnlyOnceItHoldsNothing() {
    try (EmbeddedCluster cluster = start();
        Counting counting = new Counting(cluster.client())) {
      UniserveClient client = cluster.client();
      Queue<String> broken = new ConcurrentLinkedQueue<>();
      try (ClusterView.Subscription _ =
          client
              .view()
              .onChange(
                  (state, record) -> {
                    for (ServerState server : state.servers().values()) {
                      if (server.leaving() && holds(state, server.name())) {
                        broken.add(server.name() + " leaves with copies at " + record);
                      }
                    }
                    if (!StateWait.readable(state) && record instanceof CopyReady) {
                      broken.add("an actor has no copy at " + record);
                    }
                  })) {
        follow(client, 2, 5);
        for (int size : List.of(4, 2, 5, 2)) {
          wanted.set(size);
          await(client, state -> alive(state) == size && settled(state), size + " servers");
        }
      }
      assertThat(broken).isEmpty();
      assertThat(counting.failures).isEmpty();
    }
  }

  @Test
  void theFleetIsThereAgainAfterARestart() {
    try (EmbeddedCluster cluster = start()) {
      create(cluster.client());
      follow(cluster.client(), 2, 4);
      wanted.set(4);
      await(
          cluster.client(), state -> holders(state, "s1", "s2", "s3", "s4"), "four servers in use");
    }
    try (EmbeddedCluster cluster = start()) {
      assertThat(cluster.serverNames()).containsExactly("s1", "s2", "s3", "s4");
      assertThat(count(cluster.client())).isEqualTo(NOTES);
    }
  }

  @Test
  void boundsAndPauseHold() {
    try (EmbeddedCluster cluster = start()) {
      UniserveClient client = cluster.client();
      wanted.set(9);
      follow(client, 2, 3);
      await(client, state -> alive(state) == 3, "three servers");
      assertThat(client.view().scaling(PATIENCE).opinion())
          .contains("9 servers, within bounds are 2 to 3");
      client
          .admin()
          .scale(new ScalingSettings(2, 5, "own:steered", Duration.ofMillis(100), true), PATIENCE);
      create(client);
      assertThat(client.state().scaling().fleet()).hasSize(3);
      wanted.set(2);
      follow(client, 2, 5);
      await(client, state -> alive(state) == 2 && settled(state), "two servers");
    }
  }

  @Test
  void aTableKeepsItsCopies() {
    try (EmbeddedCluster cluster = start()) {
      UniserveClient client = cluster.client();
      create(client);
      follow(client, 1, 3);
      wanted.set(1);
      while (!client.view().scaling(PATIENCE).opinion().contains("keeps 2 copies")) {
        LockSupport.parkNanos(10_000_000);
      }
      assertThat(alive(client.state())).isEqualTo(2);
    }
  }

  @Test
  void whatCannotBeIsRefused() {
    try (EmbeddedCluster cluster = start()) {
      assertThatThrownBy(
              () ->
                  cluster
                      .client()
                      .admin()
                      .scale(
                          new ScalingSettings(1, 3, "own:other", Duration.ofSeconds(1), false),
                          PATIENCE))
          .isInstanceOf(UniserveException.class)
          .hasMessageContaining("'other'");
      assertThat(cluster.client().state().scaling().settings()).isEmpty();
      assertThatThrownBy(() -> follow(cluster.client(), 3, 2)).hasMessageContaining("3 to 2");
    }
  }

  private static void create(UniserveClient client) {
    client.createTable(
        new TableDefinition(
            "notes", "notes", new Partitioner.Hash(10), 2, Durability.ASYNCHRONOUS, Map.of()),
        PATIENCE);
    List<Note> notes = new ArrayList<>();
    for (int i = 0; i < NOTES; i++) {
      notes.add(new Note("n" + i, "text of " + i));
    }
    client.update("notes", new PutNotes(), notes, UpdateOptions.ALL_COPIES);
  }

  private static int count(UniserveClient client) {
    return client.query(
        Plan.<Note, Integer>query("notes", new FindNotes("text"), Count::new),
        QueryOptions.DEFAULT);
  }

  private static final class Count implements Operator.Combiner<Note, Integer> {
    private int notes;

    @Override
    public void add(int actor, Note value) {
      notes++;
    }

    @Override
    public Integer result() {
      return notes;
    }
  }

  private static void await(
      UniserveClient client, java.util.function.Predicate<ClusterState> condition, String what) {
    StateWait.await(client, condition, PATIENCE, what);
  }

  private static void awaitThreads(EmbeddedCluster cluster, String... names) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!List.copyOf(cluster.serverNames()).equals(List.of(names))) {
      assertThat(System.nanoTime()).as("running are " + cluster.serverNames()).isLessThan(end);
      LockSupport.parkNanos(10_000_000);
    }
  }

  private static long alive(ClusterState state) {
    return state.servers().keySet().stream().filter(state::alive).count();
  }

  private static boolean settled(ClusterState state) {
    return StateWait.whole(state)
        && state.tables().values().stream()
            .flatMap(table -> table.actors().stream())
            .allMatch(actor -> actor.move().isEmpty());
  }

  private static boolean holders(ClusterState state, String... servers) {
    return settled(state) && List.of(servers).stream().allMatch(server -> holds(state, server));
  }

  private static boolean holds(ClusterState state, String server) {
    return state.tables().values().stream()
        .flatMap(table -> table.actors().stream())
        .anyMatch(actor -> actor.copyOn(server).isPresent());
  }

  /** A thread that counts all notes over and over, with pauses, which leave others room. */
  private static final class Counting implements AutoCloseable {
    private static final long PAUSE_NANOS = 5_000_000;

    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger rounds = new AtomicInteger();
    private final Thread thread;
    private volatile boolean stopped;

    Counting(UniserveClient client) {
      create(client);
      thread = Thread.ofVirtual().start(() -> run(client));
    }

    private void run(UniserveClient client) {
      while (!stopped) {
        try {
          int found = count(client);
          if (found != NOTES) {
            failures.add("found " + found);
          }
          rounds.incrementAndGet();
        } catch (RuntimeException e) {
          failures.add(e.toString());
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    @Override
    public void close() {
      stopped = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
