package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.Source.Gathered;
import io.uniserve.api.Source.Scattered;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyOperators.ByKey;
import io.uniserve.runtime.cluster.TallyOperators.ReadSheet;
import io.uniserve.runtime.cluster.TallyOperators.SumUp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Table {@code t} of tallies, whose actors tests split and merge: its keys and their sums. */
final class ReshapedTally {
  static final Duration TIMEOUT = Duration.ofSeconds(20);

  private ReshapedTally() {}

  static void create(
      LocalCluster cluster, Partitioner partitioner, int replicas, Durability durability) {
    cluster.client.createTable(
        new TableDefinition("t", "tally", partitioner, replicas, durability, Map.of()), TIMEOUT);
  }

  /** Creates the same table with ordered updates, of one actor. */
  static void createOrdered(LocalCluster cluster, int replicas, Durability durability) {
    cluster.client.createTable(
        new TableDefinition(
            "t",
            "tally",
            new Partitioner.Hash(1),
            replicas,
            durability,
            Consistency.ORDERED,
            Map.of()),
        TIMEOUT);
  }

  static void split(LocalCluster cluster, int actor) {
    cluster.client.admin().split("t", actor, Optional.empty(), TIMEOUT);
  }

  static void merge(LocalCluster cluster, int actor) {
    cluster.client.admin().merge("t", actor, Optional.empty(), TIMEOUT);
  }

  static Partitioner partitioner(LocalCluster cluster) {
    return cluster.client.state().requireTable("t").definition().partitioner();
  }

  /** Returns how many actors a table has. */
  static int living(LocalCluster cluster, String table) {
    return cluster.client.state().requireTable(table).definition().partitioner().living();
  }

  /** Returns options of an update that may be sent again under this key. */
  static UpdateOptions keyed(String key) {
    return new UpdateOptions(TIMEOUT, Acknowledgement.ALL_COPIES, Optional.of(key));
  }

  static void assertRefused(ErrorCode code, Runnable request) {
    assertRefused(code, "", request);
  }

  /** Asserts that a request fails, with a message that contains this text. */
  static void assertRefused(ErrorCode code, String how, Runnable request) {
    assertThatThrownBy(request::run)
        .hasMessageContaining(how)
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  static void add(LocalCluster cluster, int from, int to) {
    List<Amount> amounts = IntStream.range(from, to).mapToObj(i -> new Amount("k" + i, 1)).toList();
    cluster.client.update("t", new Add(), amounts, UpdateOptions.ALL_COPIES);
  }

  /** Returns the sums by key. Each key is on one actor only, or its sum is too large. */
  static Map<String, Long> sums(LocalCluster cluster, String table, Keys keys) {
    return cluster.client.query(
        new Plan.Query<>(
            new Source.Table(table, keys), new TallyEngine.Sums(), TallyEngine.collecting()),
        new QueryOptions(TIMEOUT));
  }

  static Map<String, Long> sums(LocalCluster cluster, String table) {
    return sums(cluster, table, Keys.ALL);
  }

  static Map<String, Long> ones(int count) {
    Map<String, Long> ones = new TreeMap<>();
    IntStream.range(0, count).forEach(i -> ones.put("k" + i, 1L));
    return ones;
  }

  /** Returns a moment that updates are before or after, by the millisecond. */
  static Instant passing(LocalCluster cluster) throws InterruptedException {
    cluster.clock.sleep(Duration.ofMillis(5));
    Instant moment = cluster.clock.now();
    cluster.clock.sleep(Duration.ofMillis(5));
    return moment;
  }

  static void restore(LocalCluster cluster, String name, Instant moment) {
    cluster
        .client
        .backups()
        .restore(
            new Restore(List.of("t"), Optional.of(moment), Optional.of(name), OptionalInt.empty()),
            TIMEOUT);
  }

  /** Returns the rounds of three clients, once each has done some. */
  static List<Rounds> loads(LocalCluster cluster) {
    List<Rounds> loads =
        IntStream.range(0, 3).mapToObj(i -> load(cluster, "client" + i + "-")).toList();
    goOn(loads);
    return loads;
  }

  /** Waits until each has done some more. */
  static void goOn(List<Rounds> loads) {
    loads.forEach(load -> load.await(8));
  }

  /**
   * Returns rounds that add under keys of their own and ask for the sum, in one stage and in two.
   */
  private static Rounds load(LocalCluster cluster, String prefix) {
    return new Rounds(
        1,
        i -> {
          List<Amount> two =
              List.of(new Amount(prefix + i % 50, 1), new Amount(prefix + "x" + i % 7, 1));
          cluster.client.update("t", new Add(), two, UpdateOptions.ALL_COPIES);
          assertThat(total(prefix, sums(cluster, "t"))).isEqualTo(2 * i);
          assertThat(total(prefix, doubled(cluster))).isEqualTo(4 * i);
        });
  }

  private static long total(String prefix, Map<String, Long> sums) {
    return sums.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(prefix))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Returns sums from two stages: each sum is sent to the actor of its key, which adds its own. */
  private static Map<String, Long> doubled(LocalCluster cluster) {
    Source.Table table = Source.table("t");
    Scattered sent = new Scattered(table, new ByKey(2));
    return cluster.client.query(
        new Plan.Query<>(
            new Gathered(List.of(sent), Optional.of(table), new SumUp()),
            new ReadSheet(),
            TallyEngine.collecting()),
        new QueryOptions(TIMEOUT));
  }
}
