package io.uniserve.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.Patience;
import io.uniserve.node.cluster.StateWait;
import io.uniserve.node.notes.FindNotes;
import io.uniserve.node.notes.Note;
import io.uniserve.node.notes.NotesEngine;
import io.uniserve.node.notes.PutNotes;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EmbeddedClusterTest {
  @TempDir private Path directory;

  @Test
  void keepsItsDataOverARestart() {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, 3, new NotesEngine())) {
      create(cluster.client(), 2);
      put(cluster.client(), 0, 200);
      assertThat(count(cluster.client())).isEqualTo(200);
    }
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, 3, new NotesEngine())) {
      assertThat(Patience.ask(() -> count(cluster.client()), Duration.ofSeconds(30)))
          .isEqualTo(200);
      put(cluster.client(), 200, 300);
      assertThat(count(cluster.client())).isEqualTo(300);
    }
  }

  @Test
  void losesNoQueryWhenAServerIsKilled() {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, 4, new NotesEngine())) {
      UniserveClient client = cluster.client();
      create(client, 2);
      put(client, 0, 200);
      cluster.stopServer("s2");
      while (client.state().alive("s2") || !StateWait.whole(client.state())) {
        assertThat(count(client)).isEqualTo(200);
      }
      assertThat(count(client)).isEqualTo(200);
      put(client, 200, 250);
      cluster.startServer("s2");
      StateWait.await(client, state -> state.alive("s2"), Duration.ofSeconds(20), "s2 to be back");
      assertThat(count(client)).isEqualTo(250);
    }
  }

  @Test
  void serversShareTheThreadsThatRunEngineCode() {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, 4, new NotesEngine())) {
      create(cluster.client(), 2);
      put(cluster.client(), 0, 200);
      assertThat(count(cluster.client())).isEqualTo(200);
      long processors = Runtime.getRuntime().availableProcessors();
      assertThat(begun(before, "operators-")).isBetween(1L, processors);
      assertThat(begun(before, "updates-")).isBetween(1L, processors);
    }
  }

  private static long begun(Set<Thread> before, String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(name) && !before.contains(thread))
        .count();
  }

  @Test
  void refusesADirectoryThatIsInUse() {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, 1, new NotesEngine())) {
      assertThat(cluster.serverNames()).containsExactly("s1");
      assertThatThrownBy(() -> EmbeddedCluster.start(directory, 1, new NotesEngine()))
          .isInstanceOf(UniserveException.class)
          .hasMessage(
              "the directory "
                  + directory
                  + " is in use by this very process (process "
                  + ProcessHandle.current().pid()
                  + ")");
    }
    EmbeddedCluster.start(directory, 1, new NotesEngine()).close();
  }

  private static void create(UniserveClient client, int replicas) {
    client.createTable(
        new TableDefinition(
            "notes", "notes", new Partitioner.Hash(8), replicas, Durability.ASYNCHRONOUS, Map.of()),
        Duration.ofSeconds(20));
  }

  private static void put(UniserveClient client, int from, int to) {
    List<Note> notes = new ArrayList<>();
    for (int i = from; i < to; i++) {
      notes.add(new Note("n" + i, "text of " + i));
    }
    client.update("notes", new PutNotes(), notes, UpdateOptions.ALL_COPIES);
  }

  private static int count(UniserveClient client) {
    return client.query(
        Plan.<Note, Integer>query("notes", new FindNotes("text"), Distinct::new),
        QueryOptions.DEFAULT);
  }

  private static final class Distinct implements io.uniserve.api.Operator.Combiner<Note, Integer> {
    private final TreeSet<String> ids = new TreeSet<>();

    @Override
    public void add(int actor, Note value) {
      assertThat(ids.add(value.id())).as("%s counted twice", value.id()).isTrue();
    }

    @Override
    public Integer result() {
      return ids.size();
    }
  }
}
