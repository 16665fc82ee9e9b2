package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.OnLoss;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.TableState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Actors that lose all complete copies, and how they are recovered. */
@Timeout(120)
class LossTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Pattern LOST =
      Pattern.compile(".*; updates from (\\S+Z) to (\\S+Z) may be lost");

  @TempDir Path directory;

  private static TableDefinition definition(
      int replicas, Durability durability, Consistency consistency) {
    return new TableDefinition(
        "t", "tally", new Partitioner.Hash(4), replicas, durability, consistency, Map.of());
  }

  private static void add(LocalCluster cluster, int from, int to) {
    for (int i = from; i <= to; i++) {
      cluster.client.update(
          "t", new Add(), List.of(new Amount("k" + i, i)), UpdateOptions.ALL_COPIES);
    }
  }

  private static long sum(LocalCluster cluster) {
    return cluster
        .client
        .query(Plan.query("t", new Total(), TallyEngine.adding()), QueryOptions.DEFAULT)
        .getFirst();
  }

  private static boolean whole(ClusterState state) {
    TableState table = state.requireTable("t");
    return table.actors().stream()
        .allMatch(
            actor ->
                state.alive(actor.primary())
                    && actor.copies().stream()
                        .allMatch(
                            copy -> state.alive(copy.server()) && copy.status() == Status.READY));
  }

  private static boolean led(ClusterState state, int number) {
    String primary = state.requireTable("t").actors().get(number).primary();
    return state.alive(primary);
  }

  private void loseDisk(String server) throws IOException {
    try (Stream<Path> paths = Files.walk(directory.resolve(server))) {
      Path root = directory.resolve(server);
      for (Path path :
          paths.filter(p -> !p.equals(root)).sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** The third server has the durable store, which lacks the last updates. */
  @Test
  void intactDisksThatComeBackAreNotOverruledByTheStore() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 3, HeldLogStore::new)) {
      cluster.client.createTable(
          definition(2, Durability.ASYNCHRONOUS, Consistency.ORDERED), TIMEOUT);
      add(cluster, 1, 40);
      cluster.kill("s1");
      cluster.kill("s2");
      cluster.await(state -> !state.alive("s1") && !state.alive("s2"));
      ClusterState apart = cluster.client.state();
      long waiting =
          apart.requireTable("t").actors().stream()
              .filter(actor -> actor.complete().stream().noneMatch(apart::alive))
              .count();
      assertThat(waiting).as("actors on s1 and s2").isPositive();
      cluster.start("s1");
      cluster.start("s2");
      cluster.await(state -> state.alive("s1") && state.alive("s2") && whole(state));
      assertThat(sum(cluster)).isEqualTo(40 * 41 / 2);
    }
  }

  @Test
  void anEventualTableGoesOnWithTheStoreAfterItsTime() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      cluster.client.createTable(
          definition(1, Durability.ASYNCHRONOUS, Consistency.EVENTUAL)
              .withOnLoss(OnLoss.restoreAfter(Duration.ofSeconds(1))),
          TIMEOUT);
      Instant began = Instant.now().truncatedTo(ChronoUnit.MILLIS);
      add(cluster, 1, 40);
      cluster.client.backups().backUp("t", TIMEOUT);
      Instant stored = Instant.now();
      ConcurrentLinkedQueue<ControlRecord> records = new ConcurrentLinkedQueue<>();
      cluster.client.view().onChange((state, record) -> records.add(record));
      cluster.kill("s1");
      cluster.await(state -> !state.alive("s1") && whole(state));
      assertThat(sum(cluster)).isEqualTo(40 * 41 / 2);
      List<String> reasons =
          records.stream()
              .filter(ControlRecord.LossAccepted.class::isInstance)
              .map(record -> ((ControlRecord.LossAccepted) record).why())
              .toList();
      assertThat(reasons).isNotEmpty().allSatisfy(why -> requireTimes(why, began, stored));
    }
  }

  /** Requires that a reason says from when, which the store has, to when updates may be lost. */
  private static void requireTimes(String why, Instant began, Instant stored) {
    Matcher told = LOST.matcher(why);
    assertThat(told.matches()).as(why).isTrue();
    assertThat(Instant.parse(told.group(1))).isBetween(began, stored);
    assertThat(Instant.parse(told.group(2)))
        .isBetween(stored.truncatedTo(ChronoUnit.MILLIS), Instant.now());
  }

  /** A primary of an asynchronous table may lead without the store, but not with a part of it. */
  @Test
  void whoIsLoadedFromTheStoreHasAllOfItAlsoIfItFailsMeanwhile() throws Exception {
    LogStore.Watch watch = new LogStore.Watch(40);
    try (LocalCluster cluster =
        new LocalCluster(directory, 2, store -> new LogStore(store, watch))) {
      cluster.client.createTable(
          definition(1, Durability.ASYNCHRONOUS, Consistency.EVENTUAL)
              .withOnLoss(OnLoss.restoreAfter(Duration.ofSeconds(1))),
          TIMEOUT);
      add(cluster, 1, 40);
      watch.stored.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      watch.fails = true;
      cluster.kill("s1");
      watch.refused.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      watch.fails = false;
      cluster.await(state -> !state.alive("s1") && whole(state));
      assertThat(sum(cluster)).isEqualTo(40 * 41 / 2);
    }
  }

  @Test
  void aTableThatWaitsIsRecoveredByDecisionAloneAndSaysSo() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      cluster.client.createTable(
          definition(1, Durability.ASYNCHRONOUS, Consistency.EVENTUAL).withOnLoss(OnLoss.WAIT),
          TIMEOUT);
      add(cluster, 1, 40);
      cluster.client.backups().backUp("t", TIMEOUT);
      assertThatThrownBy(() -> cluster.client.backups().recover("t", TIMEOUT))
          .isInstanceOfSatisfying(
              UniserveException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
          .hasMessageContaining("'t' has lost nothing");
      cluster.kill("s1");
      loseDisk("s1");
      cluster.await(state -> !state.alive("s1"));
      cluster.start("s1");
      cluster.await(
          state ->
              state.requireTable("t").actors().stream()
                  .anyMatch(actor -> actor.complete().isEmpty()));
      cluster.client.backups().recover("t", TIMEOUT);
      assertThat(sum(cluster)).isEqualTo(40 * 41 / 2);
      add(cluster, 41, 50);
      assertThat(sum(cluster)).isEqualTo(50 * 51 / 2);
    }
  }

  /** An operator may be able to repair the disk, so nothing replaces its files unasked. */
  @Test
  void theOnlyCompleteCopyIsNotReplacedBecauseItIsDamaged() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      cluster.client.createTable(
          definition(1, Durability.ASYNCHRONOUS, Consistency.EVENTUAL).withOnLoss(OnLoss.WAIT),
          TIMEOUT);
      add(cluster, 1, 40);
      cluster.client.backups().backUp("t", TIMEOUT);
      cluster.kill("s1");
      cluster.await(state -> !state.alive("s1"));
      List<Path> damaged = damageCheckpoints("s1");
      assertThat(damaged).isNotEmpty();
      cluster.start("s1");
      cluster.await(state -> state.alive("s1"));
      TableState table = recovered(cluster);
      assertThat(table.actors()).allMatch(actor -> actor.complete().equals(List.of("s1")));
      assertThat(sum(cluster)).as("from the store").isEqualTo(40 * 41 / 2);
    }
  }

  /** Recovers the table. Until the damage is known, nothing is lost that could be recovered. */
  private static TableState recovered(LocalCluster cluster) {
    while (true) { // until the test's time is up
      try {
        return cluster.client.backups().recover("t", TIMEOUT);
      } catch (UniserveException e) {
        assertThat(e.getMessage()).contains("'t' has lost nothing");
        assertThat(cluster.client.state().requireTable("t").actors())
            .allMatch(actor -> actor.complete().contains("s1"));
      }
    }
  }

  private List<Path> damageCheckpoints(String server) throws IOException {
    List<Path> damaged;
    try (Stream<Path> paths = Files.walk(directory.resolve(server))) {
      damaged = paths.filter(path -> path.endsWith("engine/sums")).toList();
    }
    for (Path file : damaged) {
      byte[] bytes = Files.readAllBytes(file);
      Files.write(file, bytes.length == 0 ? new byte[] {1} : flipped(bytes));
    }
    return damaged;
  }

  private static byte[] flipped(byte[] bytes) {
    bytes[0] ^= 1;
    return bytes;
  }

  @Test
  void whatHasNoStoreBeginsAnewByDecision() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      cluster.client.createTable(definition(1, Durability.NONE, Consistency.EVENTUAL), TIMEOUT);
      add(cluster, 1, 40);
      long before = sum(cluster);
      cluster.kill("s1");
      cluster.await(state -> !state.alive("s1"));
      cluster.client.backups().recover("t", TIMEOUT);
      long after = sum(cluster);
      assertThat(after).as("what s2 had is kept").isPositive().isLessThan(before);
      cluster.start("s1");
      cluster.await(state -> state.alive("s1") && whole(state));
      assertThat(sum(cluster)).as("what was given up does not come back").isEqualTo(after);
    }
  }

  /** A store that takes no checkpoints, while it is told so. */
  private static final class FullStore extends ForwardingStore {
    private final AtomicBoolean full;

    FullStore(DurableStore store, AtomicBoolean full) {
      super(store);
      this.full = full;
    }

    @Override
    public boolean putIfAbsent(String key, Content content) {
      if (full.get() && key.contains("/history/checkpoint-")) {
        throw new UniserveException(ErrorCode.UNAVAILABLE, "503 for " + key);
      }
      return super.putIfAbsent(key, content);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "EVENTUAL", mode = EnumSource.Mode.EXCLUDE)
  void aTableThatIsLostAgainBeforeItIsStoredGoesOnFromWhatItWasMadeOf(Consistency level)
      throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    try (LocalCluster cluster =
        new LocalCluster(directory, 2, store -> new FullStore(store, full))) {
      cluster.client.createTable(definition(1, Durability.ASYNCHRONOUS, level), TIMEOUT);
      add(cluster, 1, 40);
      cluster.client.backups().backUp("t", TIMEOUT);
      full.set(true);
      cluster.kill("s1");
      cluster.await(state -> !state.alive("s1"));
      TableState second = cluster.client.backups().recover("t", TIMEOUT);
      assertThat(sum(cluster)).isEqualTo(40 * 41 / 2);
      add(cluster, 41, 50);
      cluster.start("s1");
      cluster.await(state -> state.alive("s1"));
      cluster.kill("s2");
      cluster.await(state -> !state.alive("s2"));
      TableState third = cluster.client.backups().recover("t", TIMEOUT);
      assertThat(third.recovery().orElseThrow().former()).isEqualTo(second.id());
      assertThat(sum(cluster)).as("as of the first loss").isEqualTo(40 * 41 / 2);
      full.set(false);
      add(cluster, 41, 50);
      assertThat(sum(cluster)).isEqualTo(50 * 51 / 2);
    }
  }

  /** A store that takes the histories of some actors only. */
  private static final class PartialStore extends ForwardingStore {
    /** The actors that are taken, and those whose checkpoints were, by parts of their keys. */
    static final class Taken {
      private volatile Set<String> actors = Set.of();
      private final BlockingQueue<String> checkpoints = new LinkedBlockingQueue<>();

      /** Takes what comes of some actors. */
      Set<String> take(long table, List<Integer> numbers) {
        Set<String> some = new LinkedHashSet<>();
        numbers.forEach(number -> some.add("/tables/" + table + "/" + number + "/history/"));
        actors = Set.copyOf(some);
        return some;
      }

      /** Takes the first checkpoints of some actors, and then nothing more. */
      void takeCheckpoints(long table, List<Integer> numbers) throws InterruptedException {
        Set<String> awaited = take(table, numbers);
        while (!awaited.isEmpty()) {
          String key = checkpoints.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
          assertThat(key).as("a checkpoint of one of " + awaited).isNotNull();
          awaited.removeIf(key::contains);
        }
        actors = Set.of();
      }
    }

    private final AtomicBoolean partial;
    private final Taken taken;

    PartialStore(DurableStore store, AtomicBoolean partial, Taken taken) {
      super(store);
      this.partial = partial;
      this.taken = taken;
    }

    @Override
    public boolean putIfAbsent(String key, Content content) {
      boolean takes = !partial.get() || taken.actors.stream().anyMatch(key::contains);
      if (key.contains("/history/") && !takes) {
        throw new UniserveException(ErrorCode.UNAVAILABLE, "503 for " + key);
      }
      boolean put = super.putIfAbsent(key, content);
      if (key.contains("/history/checkpoint-")) {
        taken.checkpoints.add(key);
      }
      return put;
    }
  }

  /** The store has one actor of the second table only from behind what it lacks of the others. */
  @ParameterizedTest
  @EnumSource(names = {"SNAPSHOT", "ORDERED"})
  void aTableWhoseActorsAreStoredFromDifferentPlacesOnGoesOnFromWhatItWasMadeOf(Consistency level)
      throws Exception {
    AtomicBoolean partial = new AtomicBoolean();
    PartialStore.Taken taken = new PartialStore.Taken();
    try (LocalCluster cluster =
        new LocalCluster(directory, 2, store -> new PartialStore(store, partial, taken))) {
      cluster.client.createTable(definition(1, Durability.ASYNCHRONOUS, level), TIMEOUT);
      add(cluster, 1, 40);
      cluster.client.backups().backUp("t", TIMEOUT);
      partial.set(true);
      cluster.kill("s1");
      cluster.await(state -> !state.alive("s1"));
      TableState second = cluster.client.backups().recover("t", TIMEOUT);
      taken.takeCheckpoints(second.id(), List.of(1, 2, 3));
      add(cluster, 41, 60);
      taken.takeCheckpoints(second.id(), List.of(0));
      cluster.start("s1");
      cluster.await(state -> state.alive("s1"));
      cluster.kill("s2");
      cluster.await(state -> !state.alive("s2"));
      TableState third = cluster.client.backups().recover("t", TIMEOUT);
      assertThat(third.recovery().orElseThrow().former()).isEqualTo(second.id());
      assertThat(sum(cluster)).as("as of the first loss").isEqualTo(40 * 41 / 2);
    }
  }

  /** Actor 1 of the second table was split, while the store had nothing of actor 0. */
  @ParameterizedTest
  @EnumSource
  void aTableThatWasSplitBeforeItWasStoredGoesOnFromWhatItWasMadeOf(Consistency level)
      throws Exception {
    AtomicBoolean partial = new AtomicBoolean();
    PartialStore.Taken taken = new PartialStore.Taken();
    try (LocalCluster cluster =
        new LocalCluster(directory, 2, store -> new PartialStore(store, partial, taken))) {
      cluster.client.createTable(definition(1, Durability.ASYNCHRONOUS, level), TIMEOUT);
      add(cluster, 1, 40);
      cluster.client.backups().backUp("t", TIMEOUT);
      cluster.client.dropTable("t", TIMEOUT);
      partial.set(true);
      cluster
          .client
          .backups()
          .restore(
              new Restore(List.of("t"), Optional.empty(), Optional.empty(), OptionalInt.of(1)),
              TIMEOUT);
      TableState second = cluster.client.state().requireTable("t");
      int actors = second.actors().size();
      taken.take(second.id(), List.of(1, actors));
      cluster.client.admin().split("t", 1, Optional.empty(), TIMEOUT);
      String server = cluster.client.state().requireTable("t").actors().getFirst().primary();
      cluster.kill(server);
      cluster.await(state -> !state.alive(server));
      cluster.client.backups().recover("t", TIMEOUT);
      assertThat(sum(cluster)).isEqualTo(40 * 41 / 2);
      assertThat(cluster.client.state().requireTable("t").actors())
          .hasSize(level == Consistency.EVENTUAL ? actors + 1 : actors);
    }
  }

  @Test
  void anEventualTableThatWasRestoredGoesOnFromThatUntilItIsStored() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    try (LocalCluster cluster =
        new LocalCluster(directory, 2, store -> new FullStore(store, full))) {
      cluster.client.createTable(
          definition(2, Durability.ASYNCHRONOUS, Consistency.EVENTUAL), TIMEOUT);
      add(cluster, 1, 40);
      cluster.client.backups().backUp("t", TIMEOUT);
      cluster.client.dropTable("t", TIMEOUT);
      full.set(true);
      cluster
          .client
          .backups()
          .restore(
              new Restore(List.of("t"), Optional.empty(), Optional.empty(), OptionalInt.of(1)),
              TIMEOUT);
      assertThat(sum(cluster)).isEqualTo(40 * 41 / 2);
      cluster.kill("s1");
      cluster.await(state -> !state.alive("s1"));
      cluster.client.backups().recover("t", TIMEOUT);
      assertThat(sum(cluster)).isEqualTo(40 * 41 / 2);
    }
  }

  @Test
  void anOrderedTableIsRecoveredAsOfOnePlaceInItsOrder() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      TableState former =
          cluster.client.createTable(
              definition(1, Durability.ASYNCHRONOUS, Consistency.ORDERED), TIMEOUT);
      add(cluster, 1, 40);
      cluster.client.backups().backUp("t", TIMEOUT);
      cluster.kill("s1");
      cluster.await(state -> !state.alive("s1"));
      TableState recovered = cluster.client.backups().recover("t", TIMEOUT);
      assertThat(recovered.id()).isNotEqualTo(former.id());
      assertThat(recovered.recovery().orElseThrow().former()).isEqualTo(former.id());
      assertThat(recovered.recovery().orElseThrow().why())
          .contains("an operator accepted the loss")
          .contains("may be lost");
      assertThat(sum(cluster)).isEqualTo(40 * 41 / 2);
      add(cluster, 41, 50);
      assertThat(sum(cluster)).isEqualTo(50 * 51 / 2);
      cluster.start("s1");
      cluster.await(state -> state.alive("s1") && led(state, 0));
      assertThat(sum(cluster)).isEqualTo(50 * 51 / 2);
    }
  }
}
