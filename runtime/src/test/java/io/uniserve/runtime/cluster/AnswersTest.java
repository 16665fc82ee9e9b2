package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Answer;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.register.RegisterEngine;
import io.uniserve.runtime.register.RegisterEngine.Boast;
import io.uniserve.runtime.register.RegisterEngine.Clear;
import io.uniserve.runtime.register.RegisterEngine.Put;
import io.uniserve.runtime.register.RegisterEngine.Value;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Updates answer at every level, and an update that is sent again is answered as the first was. */
@Timeout(120)
class AnswersTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path directory;

  private static void create(LocalCluster cluster, Consistency level, int replicas) {
    create(cluster, level, replicas, new Partitioner.Hash(3));
  }

  private static void create(
      LocalCluster cluster, Consistency level, int replicas, Partitioner partitioner) {
    cluster.client.createTable(
        new TableDefinition(
            "t", RegisterEngine.NAME, partitioner, replicas, Durability.NONE, level, Map.of()),
        TIMEOUT);
  }

  private static UpdateOptions options(String key) {
    return new UpdateOptions(TIMEOUT, Acknowledgement.ALL_COPIES, Optional.of(key));
  }

  /** Puts a value with each of some keys. */
  private static List<Object> put(LocalCluster cluster, String key, String value, String... keys) {
    return change(cluster, new Put(), key, value, keys);
  }

  private static List<Object> change(
      LocalCluster cluster,
      UpdateFunction<?, Value> function,
      String key,
      String value,
      String... keys) {
    return cluster
        .client
        .update(
            "t",
            function,
            Arrays.stream(keys).map(each -> new Value(each, value)).toList(),
            options(key))
        .answers();
  }

  private static List<Object> clear(LocalCluster cluster, String key) {
    return cluster.client.updateAll("t", new Clear(), options(key)).answers();
  }

  private static boolean led(ClusterState state) {
    return state.tables().values().stream()
        .flatMap(table -> table.actors().stream())
        .allMatch(
            actor ->
                state.alive(actor.primary())
                    && actor.copies().stream().allMatch(copy -> copy.status() == Status.READY));
  }

  private static long sum(List<Object> counts) {
    return counts.stream().mapToLong(count -> (Long) count).sum();
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void eachRecordHasItsAnswerInTheCallersOrder(Consistency level) throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, level, 1);
      assertThat(put(cluster, "first", "1", "c", "a", "b")).containsExactly(null, null, null);
      assertThat(put(cluster, "second", "2", "d", "b", "a", "e", "a", "c"))
          .containsExactly(null, "1", "1", null, "2", "1");
      assertThat(sum(clear(cluster, "third"))).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void aRepeatedUpdateIsAnsweredAsTheFirstAlsoAfterARestart(Consistency level) throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, level, 1);
      put(cluster, "first", "1", "a", "b", "c");
      put(cluster, "second", "2", "a", "b", "c", "d");
      clear(cluster, "third");
      assertRemembered(cluster);
    }
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      cluster.await(AnswersTest::led);
      assertRemembered(cluster);
    }
  }

  private static void assertRemembered(LocalCluster cluster) {
    assertThat(put(cluster, "first", "1", "a", "b", "c")).containsExactly(null, null, null);
    assertThat(put(cluster, "second", "2", "a", "b", "c", "d"))
        .containsExactly("1", "1", "1", null);
    assertThat(sum(clear(cluster, "third"))).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void anotherCopyGivesTheSameAnswer(Consistency level) throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      create(cluster, level, 2, new Partitioner.Hash(1));
      cluster.await(AnswersTest::led);
      put(cluster, "first", "1", "a", "b");
      put(cluster, "second", "2", "b", "c");
      ClusterState state = cluster.client.state();
      String primary = state.requireTable("t").actors().getFirst().primary();
      cluster.kill(primary);
      assertThat(put(cluster, "second", "2", "b", "c")).containsExactly("1", null);
      assertThat(put(cluster, "third", "3", "c", "d")).containsExactly("2", null);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"EVENTUAL", "SERIALIZABLE", "SNAPSHOT"})
  void partsAndTheWholeKnowWhatWasAnswered(Consistency level) throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, level, 1, new Partitioner.Range(List.of()));
      put(cluster, "first", "1", "a", "b", "c", "d");
      put(cluster, "second", "2", "d", "a", "e", "c", "b");
      clear(cluster, "third");
      put(cluster, "fourth", "4", "a", "b", "c", "d");
      assertAnswers(cluster);
      cluster.client.admin().split("t", 0, Optional.of(PartitionKey.of("c")), TIMEOUT);
      assertAnswers(cluster);
      put(cluster, "fifth", "5", "d", "a");
      cluster.client.admin().merge("t", 0, Optional.of(1), TIMEOUT);
      assertAnswers(cluster);
      assertThat(put(cluster, "fifth", "5", "d", "a")).containsExactly("4", "4");
    }
  }

  private static void assertAnswers(LocalCluster cluster) {
    assertThat(put(cluster, "second", "2", "d", "a", "e", "c", "b"))
        .containsExactly("1", "1", null, "1", "1");
    assertThat(clear(cluster, "third")).as("each answer once").containsExactly(5L);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void anAnswerThatMayBeTooLargeIsRefusedBeforeAnythingIsApplied(Consistency level)
      throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, level, 1);
      assertThatThrownBy(
              () ->
                  change(cluster, new Boast(Answer.BYTES_MAX + 1, 1), "boast", "1", "a", "b", "c"))
          .hasMessageContaining("Boast may answer with 65537 bytes")
          .isInstanceOfSatisfying(
              UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
      assertThat(sum(clear(cluster, "clear"))).isZero();
      int most = Answer.BYTES_MAX - 10;
      assertThat(change(cluster, new Boast(Answer.BYTES_MAX, most), "most", "1", "a"))
          .containsExactly("x".repeat(most));
    }
  }

  /** At the ordered level the actor stalls, as at any failure of its engine. */
  @ParameterizedTest
  @EnumSource(value = Consistency.class, mode = EnumSource.Mode.EXCLUDE, names = "ORDERED")
  void anAnswerLargerThanItWasSaidIsTheEnginesFaultAndNothingIsApplied(Consistency level)
      throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, level, 1, new Partitioner.Hash(1));
      put(cluster, "first", "1", "a");
      assertThatThrownBy(() -> change(cluster, new Boast(10, 100), "boast", "2", "a"))
          .hasMessageContaining("it said at most 10")
          .isInstanceOfSatisfying(
              UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL));
      assertThat(put(cluster, "second", "3", "a", "b")).containsExactly("1", null);
    }
  }

  @Test
  void aPlanAnswersWithWhatItsUpdateAnswers() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      create(cluster, Consistency.EVENTUAL, 1);
      List<Value> values = List.of(new Value("a", "1"), new Value("a", "2"), new Value("b", "1"));
      assertThat(
              cluster.client.query(new Plan.Update("t", new Put(), values), QueryOptions.DEFAULT))
          .containsExactly(null, "1", null);
      assertThat(
              sum(
                  cluster.client.query(
                      new Plan.Update("t", new Clear(), List.of()), QueryOptions.DEFAULT)))
          .isEqualTo(2);
    }
  }
}
