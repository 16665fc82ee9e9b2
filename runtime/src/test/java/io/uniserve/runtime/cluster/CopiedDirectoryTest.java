package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;
import io.uniserve.runtime.store.StoredObject;
import io.uniserve.runtime.store.directory.DirectoryStore;
import io.uniserve.runtime.wire.ServerMessage.AskStatus;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two clusters from one directory on one durable store: only one of them writes. */
@Timeout(120)
class CopiedDirectoryTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Duration BRIEFLY = Duration.ofSeconds(5);

  @TempDir Path directory;

  private LocalCluster original() throws IOException {
    return new LocalCluster(directory.resolve("original"), 2);
  }

  /** Returns the original, which hears of no owner of the store between two moments. */
  private LocalCluster suspendable(boolean[] suspended, CountDownLatch awake) throws IOException {
    return new LocalCluster(
        directory.resolve("original"),
        2,
        own ->
            new ForwardingStore(own) {
              @Override
              public void list(String prefix, Consumer<StoredObject> visitor) {
                if (suspended[0] && prefix.endsWith("/owners/")) {
                  await(awake);
                }
                super.list(prefix, visitor);
              }
            });
  }

  /** Returns a copy of the cluster on the original's store. */
  private LocalCluster copy() throws IOException {
    return new LocalCluster(directory.resolve("copy"), 2, own -> shared());
  }

  private DurableStore shared() {
    try {
      return new DirectoryStore(
          new FileStorage(directory.resolve("original/store")),
          new SystemClock(),
          ProductionEnvironment.unseeded());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void copyDirectories() throws IOException {
    for (String process : List.of("controller", "s1", "s2")) {
      boolean whole = false;
      while (!whole) {
        whole = copy(process);
      }
    }
  }

  /** Copies a process's directory; returns false if the process has deleted something meanwhile. */
  private boolean copy(String process) throws IOException {
    Path from = directory.resolve("original").resolve(process);
    Path to = directory.resolve("copy").resolve(process);
    new FileStorage(directory).deleteTree(to);
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
      return true;
    } catch (NoSuchFileException e) {
      return false;
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof NoSuchFileException) {
        return false;
      }
      throw e;
    }
  }

  private static void create(LocalCluster cluster, Durability durability) {
    cluster.client.createTable(
        new TableDefinition(
            "t",
            "tally",
            new Partitioner.Hash(3),
            1,
            durability,
            Consistency.EVENTUAL,
            Map.of(),
            Duration.ofHours(1)),
        TIMEOUT);
  }

  private static void add(LocalCluster cluster, long amount, Duration timeout) {
    cluster.client.update(
        "t",
        new Add(),
        List.of(new Amount("k" + amount, amount)),
        new UpdateOptions(timeout, UpdateOptions.Acknowledgement.PRIMARY, Optional.empty()));
  }

  /** Asks again for as long as copies are being opened. */
  private static long sum(LocalCluster cluster) {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (true) {
      cluster.await(CopiedDirectoryTest::isWhole);
      try {
        return cluster
            .client
            .query(Plan.query("t", new Total(), TallyEngine.adding()), QueryOptions.DEFAULT)
            .getFirst();
      } catch (UniserveException e) {
        if (!e.retryable() || System.nanoTime() > end) {
          throw e;
        }
      }
    }
  }

  private static boolean isWhole(ClusterState state) {
    return state.requireTable("t").actors().stream()
        .flatMap(actor -> actor.copies().stream())
        .allMatch(copy -> copy.status() == Status.READY && state.alive(copy.server()));
  }

  /** Returns the contents of every object of histories. */
  private Map<String, byte[]> histories() {
    Map<String, byte[]> histories = new TreeMap<>();
    try (DurableStore store = shared()) {
      store.list(
          "clusters/",
          object -> {
            if (object.key().contains("/history/")) {
              histories.put(object.key(), store.get(object.key(), 1 << 20));
            }
          });
    }
    return histories;
  }

  private void assertKept(Map<String, byte[]> before) {
    Map<String, byte[]> now = histories();
    before.forEach(
        (key, bytes) ->
            assertThat(Arrays.equals(now.get(key), bytes)).as("%s is as it was", key).isTrue());
  }

  /** Waits until all servers report the refusal. */
  private static void awaitRefusal(LocalCluster cluster, String why) throws IOException {
    Deadline deadline = Deadline.after(cluster.clock, TIMEOUT);
    for (String server : List.of("s1", "s2")) {
      while (!refusal(cluster, server).contains(why)) {
        deadline.check(
            cluster.clock, "refusal of " + server + ", which says " + refusal(cluster, server));
      }
    }
  }

  private static String refusal(LocalCluster cluster, String server) throws IOException {
    return cluster
        .ask(server, new AskStatus(), ServerStatus.class)
        .storeRefusal()
        .orElse("nothing");
  }

  private static void assertRefused(LocalCluster cluster, String why) {
    assertThatThrownBy(() -> add(cluster, 1000, BRIEFLY)).hasMessageContaining(why);
  }

  @Test
  void aCopyThatIsStartedBesideTheOriginalIsRefused() throws Exception {
    try (LocalCluster original = original()) {
      create(original, Durability.SYNCHRONOUS);
      for (int i = 1; i <= 10; i++) {
        add(original, i, TIMEOUT);
      }
      copyDirectories();
      Map<String, byte[]> before = histories();
      try (LocalCluster copy = copy()) {
        awaitRefusal(copy, "this is a copy of directories that are in use elsewhere");
        assertRefused(copy, "still writes there");
        for (int i = 11; i <= 20; i++) {
          add(original, i, TIMEOUT);
        }
      }
      assertKept(before);
      assertThat(sum(original)).isEqualTo(20 * 21 / 2);
    }
    try (LocalCluster again = original()) {
      assertThat(sum(again)).isEqualTo(20 * 21 / 2);
      add(again, 21, TIMEOUT);
    }
  }

  @Test
  void whoeverIsStartedFirstIsTheOnlyOne() throws Exception {
    try (LocalCluster original = original()) {
      create(original, Durability.SYNCHRONOUS);
      add(original, 1, TIMEOUT);
    }
    copyDirectories();
    try (LocalCluster copy = copy()) {
      add(copy, 2, TIMEOUT);
      Map<String, byte[]> before = histories();
      try (LocalCluster original = original()) {
        awaitRefusal(original, "has another owner there");
        assertRefused(original, "a copy of the same directories is in use elsewhere");
      }
      assertKept(before);
      add(copy, 3, TIMEOUT);
      assertThat(sum(copy)).isEqualTo(6);
    }
    try (LocalCluster late = original()) { // even when the other has ended, since it has written
      awaitRefusal(late, "has another owner there");
      assertRefused(late, "a copy of the same directories is in use elsewhere");
    }
    try (LocalCluster copy = copy()) {
      assertThat(sum(copy)).isEqualTo(6);
      add(copy, 4, TIMEOUT);
    }
  }

  @Test
  void anOriginalThatDoesNotAnswerIsFollowedAndAcknowledgesNoMore() throws Exception {
    CountDownLatch awake = new CountDownLatch(1);
    boolean[] suspended = new boolean[1];
    try (LocalCluster original = suspendable(suspended, awake)) {
      create(original, Durability.SYNCHRONOUS);
      for (int i = 1; i <= 10; i++) {
        add(original, i, TIMEOUT);
      }
      copyDirectories();
      suspended[0] = true; // it objects to nothing, and hears of nothing
      try (LocalCluster copy = copy()) {
        add(original, 11, TIMEOUT);
        add(copy, 12, TIMEOUT);
        awake.countDown();
        awaitRefusal(original, "has another owner there");
        assertRefused(original, "has another owner there");
        assertThat(sum(copy))
            .as("what was acknowledged before is part of what the other goes on from")
            .isEqualTo(12 * 13 / 2);
      }
    }
  }

  @Test
  void aCopyLeadsALaterEpochThanTheOriginalsLast() throws Exception {
    CountDownLatch awake = new CountDownLatch(1);
    boolean[] suspended = new boolean[1];
    try (LocalCluster original = suspendable(suspended, awake)) {
      create(original, Durability.SYNCHRONOUS);
      copyDirectories();
      for (String server : List.of("s1", "s2")) { // further lives lead in further epochs
        original.kill(server);
        original.start(server);
      }
      for (int i = 1; i <= 10; i++) {
        add(original, i, TIMEOUT);
      }
      suspended[0] = true;
      try (LocalCluster copy = copy()) {
        for (int i = 11; i <= 20; i++) {
          add(copy, i, TIMEOUT);
        }
        assertThat(sum(copy)).isEqualTo(20 * 21 / 2);
      }
      awake.countDown();
    }
  }

  @Test
  void anAsynchronousTableOfACopyIsNotBackedUp() throws Exception {
    try (LocalCluster original = original()) {
      create(original, Durability.ASYNCHRONOUS);
      add(original, 1, TIMEOUT);
      original.client.backups().backUp("t", TIMEOUT);
      copyDirectories();
      Map<String, byte[]> before = histories();
      try (LocalCluster copy = copy()) {
        awaitRefusal(copy, "still writes there");
        for (int i = 3; i <= 30; i++) { // the updates are of all actors, so that all are led
          add(copy, i, TIMEOUT); // may be lost, like everything that the store lacks
        }
        assertThatThrownBy(() -> copy.client.backups().backUp("t", BRIEFLY))
            .hasMessageContaining("still writes there");
      }
      assertKept(before);
      add(original, 2, TIMEOUT);
      original.client.backups().backUp("t", TIMEOUT);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
