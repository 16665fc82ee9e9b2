package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;

/** A load that changes the actors of a table one after another, and queries a note all the time. */
final class ReshapeLoad implements AutoCloseable {
  private final RemoteCluster remote;
  private final String table;
  private final int changesWanted;
  private final AtomicInteger changes = new AtomicInteger();
  private final AtomicLong queries = new AtomicLong();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean stopped;

  ReshapeLoad(RemoteCluster remote, String table, int changesWanted) {
    this.remote = remote;
    this.table = table;
    this.changesWanted = changesWanted;
  }

  /**
   * Kills server after server of four while notes are stored and the actors changed. No query may
   * fail, and no acknowledged update may be lost.
   *
   * @param step requests the change of this number and returns whether it counts
   */
  void survives(ProcessCluster cluster, NotesLoad notes, int kills, IntPredicate step)
      throws IOException {
    notes.awaitRounds(20);
    threads.execute(() -> change(step));
    threads.execute(this::query);
    for (int i = 0; i < kills; i++) {
      int before = changes.get();
      cluster.await("a change", state -> changes.get() > before || allChanged());
      cluster.kill("s" + (1 + i));
      notes.awaitRounds(10);
      cluster.await("a failure", state -> ProcessCluster.alive(state) == 3);
      cluster.start("s" + (1 + i));
      cluster.await("all copies", ProcessCluster::ready);
    }
    cluster.await("all changes", state -> allChanged());
    close();
    notes.awaitRounds(20);
    notes.finish();
    assertThat(notes.violations()).isEmpty();
    assertThat(failures).as("failed queries").isEmpty();
    assertThat(queries).hasPositiveValue();
  }

  private void change(IntPredicate step) {
    for (int i = 0; !stopped && !allChanged(); i++) {
      try {
        if (step.test(i)) {
          changes.incrementAndGet();
        }
      } catch (UniserveException e) {
        System.out.println("a change came to nothing: " + e.getMessage());
        Waiting.think();
      }
    }
  }

  /** Returns whether all changes are done before the last server is killed, which may take long. */
  private boolean allChanged() {
    return changes.get() >= changesWanted;
  }

  /** Requests the split or the merge of an actor. */
  void ask(int actor, String change) {
    remote.post("/api/tables/" + table + "/actors/" + actor + "/" + change, Map.of());
  }

  private void query() {
    while (!stopped) {
      try {
        remote.get("/api/tables/" + table + "/query?q=text&rows=1");
        queries.incrementAndGet();
      } catch (UniserveException e) {
        failures.add(e.code() + " " + e.getMessage());
      }
      Waiting.think();
    }
  }

  /** Begins nothing more and waits until everything in progress has ended. */
  @Override
  public void close() {
    stopped = true;
    threads.close();
  }
}
