package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.FaultyStorage.Write;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Label;
import io.uniserve.runtime.cluster.TallyEngine.Shown;
import io.uniserve.runtime.cluster.TallyEngine.Spoil;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import io.uniserve.runtime.wire.QueryMessage;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.QueryMessage.Retrieved;
import io.uniserve.runtime.wire.ReplicationMessage.Seal;
import io.uniserve.runtime.wire.ReplicationMessage.Sealed;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.UpdateMessage.Update;
import io.uniserve.runtime.wire.UpdateMessage.Updated;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyUnready;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The faults of callers, engines and disks that a server must bear. */
@Timeout(60)
class ServerFaultsTest {
  @TempDir Path directory;

  @AfterEach
  void makeRoom() {
    TallyEngine.FULL.clear();
    TallyEngine.UNOPENABLE.clear();
    TallyEngine.UNSHOWABLE.clear();
  }

  @Test
  void aCopyWhoseFirstCheckpointFailedLosesNothingAtARestart() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      cluster.disk("s1").fail(Write.FORCE, "checkpoints", 0, 1);
      create(cluster, 1);
      add(cluster, 7, UpdateOptions.DEFAULT);
      assertThat(cluster.disk("s1").left()).isZero();
    }
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      assertThat(total(cluster)).containsExactly(7L, 1L);
    }
  }

  @Test
  void aReplicaThatCouldNotBeBegunLeavesNothingBehind() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      cluster.disk("s1").fail(Write.MAKE, "checkpoints", 0, Integer.MAX_VALUE);
      Thread creating = Thread.ofVirtual().start(() -> catchThrowable(() -> create(cluster, 1)));
      awaitReplicas(cluster, 1);
      cluster.client.dropTable("t", Duration.ofSeconds(30));
      awaitReplicas(cluster, 0);
      creating.join();
    }
  }

  /** Waits until a server's disk has so many replicas. */
  private void awaitReplicas(LocalCluster cluster, int count) throws Exception {
    Path actors = directory.resolve("s1").resolve("actors");
    while (replicasIn(actors) != count) {
      cluster.clock.sleep(Duration.ofMillis(10));
    }
  }

  private static long replicasIn(Path actors) throws IOException {
    if (!Files.exists(actors)) {
      return 0;
    }
    try (Stream<Path> replicas = Files.list(actors)) {
      return replicas.count();
    }
  }

  /** The engine would take the flipped bit for data. */
  @Test
  void aDamagedCheckpointIsNotOpenedButMadeAgainFromAnotherCopy() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 2);
      add(cluster, 7, UpdateOptions.ALL_COPIES);
      String primary = actor(cluster).primary();
      String follower = primary.equals("s1") ? "s2" : "s1";
      cluster.kill(follower);
      Path actors = directory.resolve(follower).resolve("actors");
      Files.move(actors, directory.resolve("lost")); // so it is given a checkpoint
      cluster.await(state -> !state.alive(follower));
      cluster.start(follower);
      cluster.await(ServerFaultsTest::whole);
      cluster.kill(follower);
      cluster.await(state -> !state.alive(follower));
      assertThat(flipIn(directory.resolve(follower))).isPositive();
      cluster.start(follower);
      cluster.await(ServerFaultsTest::whole);
      cluster.kill(primary);
      cluster.await(state -> actor(state).primary().equals(follower));
      assertThat(total(cluster)).containsExactly(7L, 1L);
    }
  }

  /** The actor is on one server only, and nobody opens a checkpoint while it runs. */
  @Test
  void damageThatNobodyOpensIsFoundAndMendedFromWhatIsOpen() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, 1);
      add(cluster, 7, UpdateOptions.DEFAULT);
      Path actors = directory.resolve("s1").resolve("actors");
      List<Path> damaged = files(actors, "meta");
      assertThat(flipIn(actors, "meta")).isEqualTo(1);
      while (Files.exists(damaged.getFirst())) {
        assertThat(total(cluster)).containsExactly(7L, 1L);
      }
    }
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      assertThat(total(cluster)).containsExactly(7L, 1L);
    }
  }

  private static List<Path> files(Path directory, String end) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.filter(path -> path.toString().endsWith(end)).toList();
    }
  }

  /** The only copy is not in a durable store, so its actor cannot be restored from anything. */
  @Test
  void aDamagedLogOfTheOnlyCopyIsNotCutOffButItsActorIsNotLed() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, 1);
      add(cluster, 7, UpdateOptions.DEFAULT);
      add(cluster, 8, UpdateOptions.DEFAULT);
    }
    Path actors = directory.resolve("s1").resolve("actors");
    assertThat(flipIn(actors, ".log")).isPositive();
    Map<Path, String> before = contents(actors);
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      while (!words(cluster).equals(List.of("damaged"))) {
        assertThat(words(cluster)).doesNotContain("primary");
      }
      assertThatThrownBy(
              () ->
                  cluster.client.query(
                      Plan.query("t", new Total(), TallyEngine.adding()),
                      new QueryOptions(Duration.ofSeconds(1))))
          .isInstanceOf(UniserveException.class);
    }
    assertThat(contents(actors)).containsAllEntriesOf(before);
  }

  /** Returns the status words of the servers' copies. */
  private static List<String> words(LocalCluster cluster) {
    return cluster.client.view().statuses(Duration.ofSeconds(5)).stream()
        .flatMap(server -> server.actors().stream())
        .map(ServerStatus.ActorStatus::role)
        .toList();
  }

  private static Map<Path, String> contents(Path directory) throws IOException {
    Map<Path, String> all = new TreeMap<>();
    for (Path path : files(directory, ".log")) {
      all.put(path, HexFormat.of().formatHex(Files.readAllBytes(path)));
    }
    return all;
  }

  /** Flips a bit at a quarter of each file with this ending of its name. */
  private static int flipIn(Path actors, String end) throws IOException {
    int flipped = 0;
    for (Path path : files(actors, end)) {
      byte[] bytes = Files.readAllBytes(path);
      bytes[bytes.length / 4] ^= 1;
      Files.write(path, bytes);
      flipped++;
    }
    return flipped;
  }

  private static boolean whole(ClusterState state) {
    return actor(state).copies().stream()
        .allMatch(copy -> copy.status() == Status.READY && state.alive(copy.server()));
  }

  /** Flips the last bit of the last byte but one in the engine's files of checkpoints. */
  private static int flipIn(Path server) throws IOException {
    int flipped = 0;
    try (Stream<Path> paths = Files.walk(server.resolve("actors"))) {
      for (Path path : paths.filter(found -> found.endsWith("engine/sums")).toList()) {
        byte[] bytes = Files.readAllBytes(path);
        if (bytes.length > 1) {
          bytes[bytes.length - 2] ^= 1;
          Files.write(path, bytes);
          flipped++;
        }
      }
    }
    return flipped;
  }

  @Test
  void anUpdateThatCannotBeLoggedChangesNothing() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 2);
      cluster.disk(actor(cluster).primary()).fail(Write.APPEND, ".log", 0, 2);
      add(cluster, 7, UpdateOptions.ALL_COPIES);
      assertThat(total(cluster)).containsExactly(7L, 1L);
      assertThat(cluster.disk(actor(cluster).primary()).left()).isZero();
    }
  }

  @Test
  void aCopyThatCannotApplyWhatItsPrimaryAppliedIsNotReadUntilItCan() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 2);
      add(cluster, 1, UpdateOptions.ALL_COPIES);
      String primary = actor(cluster).primary();
      String follower = primary.equals("s1") ? "s2" : "s1";
      var changes = changesOf(cluster);
      TallyEngine.FULL.add(follower);
      add(cluster, 7, UpdateOptions.DEFAULT);
      cluster.await(state -> changes.stream().anyMatch(CopyUnready.class::isInstance));
      assertThat(total(cluster)).containsExactly(8L, 1L);
      TallyEngine.FULL.clear();
      cluster.await(state -> status(state, follower) == Status.READY);
      cluster.kill(primary);
      cluster.await(state -> actor(state).primary().equals(follower));
      assertThat(total(cluster)).containsExactly(8L, 1L);
    }
  }

  /** Data that only the primary has is not forgotten because its server has no room to open it. */
  @Test
  void aCopyThatCannotBeOpenedForWantOfRoomDoesNotVoteAsIfItHeldNothing() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 2);
      add(cluster, 1, UpdateOptions.ALL_COPIES);
      String primary = actor(cluster).primary();
      String follower = primary.equals("s1") ? "s2" : "s1";
      TallyEngine.FULL.add(follower);
      add(cluster, 7, UpdateOptions.DEFAULT);
      cluster.await(state -> status(state, follower) == Status.LOADING);
      TallyEngine.FULL.add(primary);
      spoil(cluster);
      cluster.await(state -> status(state, primary) == Status.LOADING);
      TallyEngine.FULL.remove(follower);

      long next = actor(cluster).epoch() + 1;
      cluster.await(state -> heldBy(cluster, follower, next).equals(Optional.of(true)));
      assertThat(heldBy(cluster, primary, next)).isEmpty();

      TallyEngine.FULL.clear();
      assertThat(total(cluster)).containsExactly(8L, 1L);
      cluster.await(state -> state.alive(primary) && actor(state).primary().equals(primary));
    }
  }

  @Test
  void aCopyThatCannotBeOpenedForAWhileDoesNotVoteAsIfItHeldNothing() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, 1);
      add(cluster, 7, UpdateOptions.DEFAULT);
      var changes = changesOf(cluster);
      long next = actor(cluster).epoch() + 1;
      TallyEngine.UNOPENABLE.put("s1", 2);
      spoil(cluster);
      cluster.await(state -> changes.stream().anyMatch(CopyUnready.class::isInstance));
      cluster.await(
          state ->
              heldBy(cluster, "s1", next)
                  .map(
                      held -> {
                        assertThat(held).isTrue();
                        return held;
                      })
                  .isPresent());
      assertThat(TallyEngine.UNOPENABLE).isEmpty();
      assertThat(total(cluster)).containsExactly(7L, 1L);
    }
  }

  @Test
  void aFollowerWhoseFilesFailWhileNothingIsUpdatedOpensItsCopyAgain() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 2);
      add(cluster, 7, UpdateOptions.ALL_COPIES);
      String follower = actor(cluster).primary().equals("s1") ? "s2" : "s1";
      var changes = changesOf(cluster);
      assertThat(ask(cluster, follower, new Spoil()).values()).isEmpty();
      cluster.await(state -> changes.stream().anyMatch(CopyUnready.class::isInstance));
      cluster.await(state -> status(state, follower) == Status.READY);
      assertThat(ask(cluster, follower, new Total()).values())
          .singleElement()
          .satisfies(total -> assertThat(total.value(cluster.engines)).isEqualTo(7L));
    }
  }

  @Test
  void aCopyThatWasOpenedShowsAllThatWasAppliedWhenItIsRead() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 2);
      add(cluster, 7, UpdateOptions.ALL_COPIES);
      String primary = actor(cluster).primary();
      assertThat(firstShown(cluster, primary)).isZero();
      var changes = changesOf(cluster);
      TallyEngine.UNSHOWABLE.put(primary, 2);
      TallyEngine.OPENED.clear();
      assertThat(ask(cluster, primary, new Spoil()).values()).isEmpty();
      cluster.await(state -> changes.stream().anyMatch(CopyUnready.class::isInstance));
      assertThat(firstShown(cluster, primary)).isEqualTo(7);
      assertThat(TallyEngine.UNSHOWABLE).isEmpty();
      assertThat(TallyEngine.OPENED).as("opened again each time").hasSizeGreaterThanOrEqualTo(3);
    }
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      assertThat(firstShown(cluster, "s1")).isEqualTo(7);
      assertThat(firstShown(cluster, "s2")).isEqualTo(7);
    }
  }

  /** Returns the first answer of a server's copy that is read. */
  private static long firstShown(LocalCluster cluster, String server) {
    AtomicReference<Object> shown = new AtomicReference<>();
    cluster.await(
        state -> {
          shownBy(cluster, server).ifPresent(shown::set);
          return shown.get() != null;
        });
    return (long) shown.get();
  }

  private static Optional<Object> shownBy(LocalCluster cluster, String server) {
    Payload shown = Payload.of("tally", new Shown());
    Retrieve request =
        new Retrieve(id(cluster).table(), List.of(0), List.of(), shown, false, Optional.empty());
    try {
      return cluster.ask(server, request, QueryMessage.class) instanceof Retrieved retrieved
          ? Optional.of(retrieved.values().getFirst().value(cluster.engines))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (UniserveException e) {
      assertThat(e.retryable()).as(e.getMessage()).isTrue();
      return Optional.empty();
    }
  }

  private static Retrieved ask(LocalCluster cluster, String server, Operator.Retrieve<?, ?> what)
      throws Exception {
    Payload operator = Payload.of("tally", what);
    Retrieve request =
        new Retrieve(id(cluster).table(), List.of(0), List.of(), operator, false, Optional.empty());
    return cluster.ask(server, request, Retrieved.class);
  }

  private static void spoil(LocalCluster cluster) {
    cluster.client.query(Plan.query("t", new Spoil(), TallyEngine.adding()), QueryOptions.DEFAULT);
  }

  /** Returns whether a server holds the actor, if it knows. */
  private static Optional<Boolean> heldBy(LocalCluster cluster, String server, long epoch) {
    CopyId copy = actor(cluster).copyOn(server).orElseThrow().id();
    try {
      return Optional.of(
          cluster.ask(server, new Seal(id(cluster), copy, epoch), Sealed.class).held());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (UniserveException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE);
      return Optional.empty();
    }
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void recordsOfAnotherTypeAreTheCallersErrorAndHarmNoCopy() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 2);
      var changes = changesOf(cluster);
      assertInvalid(
          () ->
              cluster.client.update(
                  "t", new Add(), (List) List.of(new Label("a")), UpdateOptions.DEFAULT));
      add(cluster, 7, UpdateOptions.ALL_COPIES);
      assertThat(changes).isEmpty();
    }
  }

  @Test
  void whatIsNoUpdateIsTheCallersErrorAndHarmsNoCopy() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 2);
      var changes = changesOf(cluster);
      Payload add = Payload.of("tally", new Add());
      Payload amounts = Payload.of("tally", List.of(new Amount("a", 1)));
      assertInvalid(() -> update(cluster, add, Payload.of("tally", new Amount("a", 1))));
      assertInvalid(() -> update(cluster, Payload.of("tally", new Total()), amounts));
      assertInvalid(() -> update(cluster, Payload.of("another", new Add()), amounts));
      assertInvalid(() -> update(cluster, add, Payload.of("tally", List.of("a document"))));
      UpdateKey old =
          UpdateKey.random(
              new Random(1), cluster.clock.now().minus(UpdateKey.LIFETIME).minusSeconds(1));
      assertInvalid(() -> update(cluster, old, add, amounts));
      assertThat(update(cluster, add, amounts).position().sequence()).isOne();
      assertThat(changes).isEmpty();
    }
  }

  @Test
  void aRequestForNoActorIsRefusedAtOnce() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, 1);
      Payload operator = Payload.of("tally", new Total());
      Retrieve none =
          new Retrieve(id(cluster).table(), List.of(), operator, false, Optional.empty());
      assertInvalid(() -> cluster.ask("s1", none, Retrieved.class));
    }
  }

  @Test
  void anErrorOfTheMachineInsideAnEngineEndsItsUpdateOnly() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, 2);
      assertThatThrownBy(() -> add(cluster, 7_777_777, UpdateOptions.DEFAULT))
          .hasMessageContaining("made up by the test");
      add(cluster, 7, UpdateOptions.ALL_COPIES);
      assertThat(total(cluster)).containsExactly(7L, 1L);
    }
  }

  @Test
  void anEngineThatCannotTellItsUsageHidesNoServer() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, 1);
      cluster.client.update(
          "t", new Add(), List.of(new Amount("no usage", 1)), UpdateOptions.DEFAULT);
      assertThat(cluster.client.view().statuses(Duration.ofSeconds(2))).hasSize(1);
    }
  }

  @Test
  void anEngineThatCannotCloseKeepsNoTableFromBeingDropped() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, 1);
      cluster.client.update(
          "t", new Add(), List.of(new Amount("no close", 1)), UpdateOptions.DEFAULT);
      Path files = directory.resolve("s1/actors/" + id(cluster).table() + "-0");
      assertThat(files).exists();
      cluster.client.dropTable("t", Duration.ofSeconds(5));
      cluster.await(state -> Files.notExists(files));
    }
  }

  @Test
  void aServerWithoutRoomOnItsDiskJoinsAgain() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, 1);
      add(cluster, 7, UpdateOptions.DEFAULT);
      cluster.kill("s1");
      cluster.disk("s1").fail(Write.REPLACE, "cluster", 0, Integer.MAX_VALUE);
      cluster.start("s1");
      cluster.await(state -> state.servers().get("s1").incarnation() == 2);
      assertThat(total(cluster)).containsExactly(7L, 1L);
      assertThat(cluster.client.state().servers().get("s1").incarnation()).isEqualTo(2);
    }
  }

  private static Updated update(LocalCluster cluster, Payload function, Payload records)
      throws Exception {
    return update(cluster, UpdateKey.of("key"), function, records);
  }

  private static Updated update(
      LocalCluster cluster, UpdateKey key, Payload function, Payload records) throws Exception {
    return cluster.ask(
        actor(cluster).primary(),
        new Update(id(cluster), key, function, records, false),
        Updated.class);
  }

  private static void assertInvalid(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(UniserveException.class)
        .extracting(e -> ((UniserveException) e).code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  private static ConcurrentLinkedQueue<ControlRecord> changesOf(LocalCluster cluster) {
    ConcurrentLinkedQueue<ControlRecord> changes = new ConcurrentLinkedQueue<>();
    cluster.client.view().onChange((state, record) -> changes.add(record));
    return changes;
  }

  private static void create(LocalCluster cluster, int replicas) {
    cluster.client.createTable(
        new TableDefinition(
            "t", "tally", new Partitioner.Hash(1), replicas, Durability.NONE, Map.of()),
        Duration.ofSeconds(10));
  }

  private static void add(LocalCluster cluster, long amount, UpdateOptions options) {
    cluster.client.update(
        "t",
        new Add(),
        List.of(new Amount("a", amount)),
        new UpdateOptions(Duration.ofSeconds(10), options.acknowledgement(), Optional.empty()));
  }

  private static List<Long> total(LocalCluster cluster) {
    return cluster.client.query(
        Plan.query("t", new Total(), TallyEngine.adding()), QueryOptions.DEFAULT);
  }

  private static ActorId id(LocalCluster cluster) {
    return cluster.client.state().requireTable("t").actorId(0);
  }

  private static ActorState actor(LocalCluster cluster) {
    return actor(cluster.client.state());
  }

  private static ActorState actor(ClusterState state) {
    return state.requireTable("t").actors().getFirst();
  }

  private static Status status(ClusterState state, String server) {
    return actor(state).copyOn(server).orElseThrow().status();
  }
}
