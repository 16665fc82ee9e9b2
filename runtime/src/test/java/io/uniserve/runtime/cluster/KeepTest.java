package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.Source.Gathered;
import io.uniserve.api.Source.Mapped;
import io.uniserve.api.Source.Scattered;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.plan.Explained;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Sums;
import io.uniserve.runtime.cluster.TallyOperators.ByActor;
import io.uniserve.runtime.cluster.TallyOperators.ByKey;
import io.uniserve.runtime.cluster.TallyOperators.Collected;
import io.uniserve.runtime.cluster.TallyOperators.Spoiled;
import io.uniserve.runtime.cluster.TallyOperators.Tallied;
import io.uniserve.runtime.cluster.TallyOperators.Times;
import io.uniserve.runtime.wire.ControlMessage.CreateTable;
import io.uniserve.runtime.wire.cluster.KeptOutput;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The output of a plan becomes a table, wholly or not at all. */
@Timeout(60)
class KeepTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @TempDir Path directory;
  private LocalCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = new LocalCluster(directory, 3);
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void whatAMapMakesIsATableOfItsOwn() {
    Map<String, Long> sums = filled("t", 5, 60);
    sums.replaceAll((key, sum) -> 3 * sum);
    keep(new Mapped(Source.table("t"), new Tallied(3)), table("kept", 5, Durability.ASYNCHRONOUS));
    assertThat(sums("kept")).isEqualTo(sums);

    cluster.client.update(
        "kept", new Add(), List.of(new Amount("k1", 100)), UpdateOptions.ALL_COPIES);
    cluster.client.dropTable("t", TIMEOUT);
    sums.merge("k1", 100L, Long::sum);
    assertThat(sums("kept")).isEqualTo(sums);
    assertThat(cluster.client.state().requireTable("kept").actors())
        .allSatisfy(actor -> assertThat(actor.copies()).hasSize(2));
  }

  @Test
  void whatIsGatheredMayBeSpreadOtherwise() {
    Map<String, Long> sums = filled("t", 5, 60);
    Source gathered = gathered(new Mapped(Source.table("t"), new Times(2)), new ByActor(3));
    sums.replaceAll((key, sum) -> 2 * sum);
    keep(gathered, table("kept", 3, Durability.NONE));
    assertThat(sums("kept")).isEqualTo(sums);
    assertThat(sumsOf("kept", "k7")).containsEntry("k7", 14L);
  }

  @Test
  void whatIsMappedOfWhatWasGatheredKeepsItsPlace() {
    Map<String, Long> sums = filled("t", 2, 60);
    Source gathered = gathered(Source.table("t"), new ByActor(7));
    keep(new Mapped(gathered, new Tallied(1)), table("kept", 7, Durability.SYNCHRONOUS));
    sums.forEach((key, sum) -> assertThat(sumsOf("kept", key)).containsEntry(key, sum));
  }

  @Test
  void whatIsGatheredAtATableIsSpreadAsThat() {
    Map<String, Long> sums = filled("t", 2, 60);
    filled("u", 4, 10);
    Gathered gathered =
        new Gathered(
            List.of(new Scattered(Source.table("t"), new ByActor(4))),
            Optional.of(Source.table("u")),
            new Collected());
    keep(gathered, table("kept", 4, Durability.NONE));
    sums.forEach((key, sum) -> assertThat(sumsOf("kept", key)).containsEntry(key, sum));
  }

  @Test
  void anActorThatNothingBecomesIsEmpty() {
    filled("t", 5, 60);
    Source.Table some = Source.table("t", new Keys.Of(List.of(PartitionKey.of("k7"))));
    keep(new Mapped(some, new Tallied(1)), table("kept", 5, Durability.ASYNCHRONOUS));
    assertThat(sums("kept")).containsEntry("k7", 7L).hasSizeLessThan(60);
    cluster.client.update(
        "kept",
        new Add(),
        List.of(new Amount("k1", 100), new Amount("k2", 100), new Amount("k3", 100)),
        UpdateOptions.ALL_COPIES);
    assertThat(sums("kept")).containsKeys("k1", "k2", "k3");
  }

  @Test
  void whatIsNoSuchTableIsRefusedAndThereIsNone() {
    filled("t", 5, 60);
    Source tallied = new Mapped(Source.table("t"), new Tallied(1));
    refused(() -> keep(Source.table("t"), table("kept", 5)), "no operator that makes actors");
    refused(() -> keep(tallied, table("kept", 4)), "Hash[actors=5], not by Hash[actors=4]");
    refused(
        () -> keep(new Mapped(Source.table("t"), new Times(1)), table("kept", 5)), "not one actor");
    refused(
        () -> keep(gathered(Source.table("t"), new ByKey(1)), table("kept", 3)), "not one actor");
    refused(() -> keep(new Mapped(Source.table("t"), new Spoiled()), table("kept", 5)), "open");
    refused(() -> keep(tallied, table("t", 5)), "already is a table 't'");
    assertThat(cluster.client.table("kept")).isEmpty();
  }

  private static void refused(ThrowingCallable keeping, String why) {
    assertThatThrownBy(keeping).isInstanceOf(UniserveException.class).hasMessageContaining(why);
  }

  @Test
  void whoOnlyReadsKeepsNothing() {
    filled("t", 2, 6);
    Plan<Void> plan =
        new Plan.Keep(new Mapped(Source.table("t"), new Tallied(1)), table("kept", 2));
    refused(
        () -> cluster.client.query(plan, new QueryOptions(TIMEOUT).withReadOnly(true)),
        "cannot change table 'kept'");
    refused(
        () -> cluster.client.queryPartially(plan, QueryOptions.DEFAULT),
        "cannot change table 'kept'");
  }

  @Test
  void aPlanThatLosesAServerBeginsAgainOrLeavesNoTable() {
    Map<String, Long> expected = filled("t", 6, 200);
    Source source =
        new Mapped(gathered(new Mapped(Source.table("t"), new Times(1)), new ByActor(4)), one());
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicReference<Boolean> stop = new AtomicReference<>(false);
    Thread stream =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    for (int i = 0; !stop.get(); i++) {
                      keepOrNot(source, "kept-" + i, expected);
                    }
                  } catch (Throwable e) {
                    failure.set(e);
                  }
                });
    cluster.kill("s2");
    cluster.await(state -> !state.alive("s2"));
    stop.set(true);
    join(stream);
    assertThat(failure.get()).isNull();
    keepOrNot(source, "last", expected);
    assertThat(sums("last")).isEqualTo(expected);
  }

  private static Tallied one() {
    return new Tallied(1);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Keeps a plan's output, or fails: copies of the new table may be on the server that was killed,
   * and are waited for in vain.
   */
  private void keepOrNot(Source source, String name, Map<String, Long> expected) {
    try {
      cluster.client.query(
          new Plan.Keep(source, table(name, 4, Durability.ASYNCHRONOUS)),
          new QueryOptions(Duration.ofSeconds(5)));
    } catch (UniserveException e) {
      assertThat(e.retryable()).as(e.toString()).isTrue();
    }
    if (cluster.client.table(name).isPresent()) {
      assertThat(sums(name)).isEqualTo(expected);
    }
  }

  @Test
  void anOutputThatHasExpiredBecomesNoTable() throws Exception {
    filled("t", 2, 6);
    keep(new Mapped(Source.table("t"), one()), table("kept", 2));
    TableOrigin origin = cluster.client.state().requireTable("kept").origin().orElseThrow();
    KeptOutput kept = KeptOutput.at(origin.cluster()).orElseThrow();
    assertThat(kept.cluster()).isEqualTo(cluster.client.state().cluster());
    assertThat(kept.expired(cluster.clock.now().plus(Duration.ofMinutes(59)).toEpochMilli()))
        .isFalse();
    KeptOutput older = new KeptOutput(kept.cluster(), 1, kept.run());
    CreateTable late =
        new CreateTable(
            table("late", 2),
            Optional.of(new TableOrigin(older.place(), KeptOutput.TABLE, origin.cut())));
    assertThatThrownBy(() -> cluster.submit(late))
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
    assertThat(cluster.client.table("late")).isEmpty();
  }

  @Test
  void whatWasStoredIsExplained() {
    filled("t", 5, 60);
    Plan<Void> plan =
        new Plan.Keep(
            gathered(new Mapped(Source.table("t"), new Times(1)), new ByActor(2)),
            table("kept", 2));
    assertThat(cluster.client.queries().explain(plan))
        .isEqualTo(
            """
            0  map Times[factor=1] of table 't', 5 of 5 actors
            1  scatter ByActor[actors=2] of stage 0
            2  gather Collected[] of stage 1, spread over the servers
            3  keep stage 2 as table 'kept'
            """);
    Explained<Void> explained =
        cluster.client.queries().queryExplained(plan, new QueryOptions(TIMEOUT));
    assertThat(explained.plans().getFirst().stages().getLast().tasks())
        .hasSize(2)
        .allSatisfy(task -> assertThat(task.bytes()).isGreaterThan(100));
    assertThat(explained.text()).contains("3  keep stage 2 as table 'kept'");
  }

  private static Gathered gathered(Source source, Operator.Scatter<?> scatter) {
    return new Gathered(List.of(new Scattered(source, scatter)), Optional.empty(), new Collected());
  }

  private void keep(Source source, TableDefinition table) {
    cluster.client.query(new Plan.Keep(source, table), new QueryOptions(TIMEOUT));
  }

  private Map<String, Long> sums(String table) {
    return cluster.client.query(
        Plan.query(table, new Sums(), TallyEngine.collecting()), new QueryOptions(TIMEOUT));
  }

  private Map<String, Long> sumsOf(String table, String key) {
    return cluster.client.query(
        new Plan.Query<>(
            Source.table(table, new Keys.Of(List.of(PartitionKey.of(key)))),
            new Sums(),
            TallyEngine.collecting()),
        new QueryOptions(TIMEOUT));
  }

  private static TableDefinition table(String name, int actors) {
    return table(name, actors, Durability.NONE);
  }

  private static TableDefinition table(String name, int actors, Durability durability) {
    return new TableDefinition(
        name, "tally", new Partitioner.Hash(actors), 2, durability, Map.of());
  }

  private Map<String, Long> filled(String name, int actors, int keys) {
    cluster.client.createTable(table(name, actors), TIMEOUT);
    List<Amount> amounts = new ArrayList<>();
    Map<String, Long> sums = new TreeMap<>();
    for (int i = 0; i < keys; i++) {
      amounts.add(new Amount("k" + i, i));
      sums.put("k" + i, (long) i);
    }
    cluster.client.update(name, new Add(), amounts, UpdateOptions.ALL_COPIES);
    return sums;
  }
}
