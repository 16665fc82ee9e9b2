package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;
import io.uniserve.runtime.wire.cluster.ActorState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checkpoints that a server loads from the durable store do not wait for the disk. They are made to
 * stay soon, also while their copies wait for a store that they need to lead.
 */
@Timeout(120)
class LoadedCheckpointTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final long PAUSE_NANOS = 10_000_000;
  private static final int ACTORS = 4;

  @TempDir Path directory;

  @Test
  void isMadeToStayWhileItsCopyWaitsToLead() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    try (LocalCluster cluster =
        new LocalCluster(directory, 2, store -> new FullStore(store, full))) {
      long id =
          cluster
              .client
              .createTable(
                  new TableDefinition(
                      "t",
                      "tally",
                      new Partitioner.Hash(ACTORS),
                      1,
                      Durability.SYNCHRONOUS,
                      Consistency.EVENTUAL,
                      Map.of()),
                  TIMEOUT)
              .id();
      for (long i = 1; i <= 40; i++) {
        cluster.client.update(
            "t", new Add(), List.of(new Amount("k" + i, i)), UpdateOptions.ALL_COPIES);
      }
      cluster.client.backups().backUp("t", TIMEOUT);
      List<Integer> lost = ledBy(cluster, "s1");
      assertThat(lost).isNotEmpty();
      full.set(true);
      cluster.kill("s1");
      cluster.await(state -> !state.alive("s1"));
      Set<Integer> waiting = new TreeSet<>(lost);
      long until = System.nanoTime() + SOON.toNanos();
      while (!waiting.isEmpty() && System.nanoTime() - until < 0) {
        waiting.removeIf(number -> settled(id, number));
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      assertThat(waiting).as("actors whose checkpoint a crash would take").isEmpty();
    }
  }

  private static List<Integer> ledBy(LocalCluster cluster, String server) {
    List<ActorState> actors = cluster.client.state().requireTable("t").actors();
    return Stream.iterate(0, number -> number + 1)
        .limit(actors.size())
        .filter(number -> actors.get(number).primary().equals(server))
        .toList();
  }

  /** Returns whether the other server has a checkpoint of an actor that a crash does not take. */
  private boolean settled(long table, int actor) {
    Path checkpoints = directory.resolve("s2/actors/" + table + "-" + actor + "/checkpoints");
    try (Stream<Path> all = Files.list(checkpoints)) {
      List<Path> found = all.toList();
      return !found.isEmpty()
          && found.stream()
              .noneMatch(path -> path.getFileName().toString().startsWith("unfinished-"));
    } catch (IOException e) {
      return false; // it does not exist yet, or is replaced at this moment
    }
  }

  /** A store that does not take where a primary goes on from. */
  private static final class FullStore extends ForwardingStore {
    private final AtomicBoolean full;

    FullStore(DurableStore store, AtomicBoolean full) {
      super(store);
      this.full = full;
    }

    @Override
    public void put(String key, Content content) {
      if (full.get() && key.contains("/history/")) {
        throw new UniserveException(ErrorCode.UNAVAILABLE, "503 for " + key);
      }
      super.put(key, content);
    }
  }
}
