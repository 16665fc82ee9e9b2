package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Queries with a token that has seen a table of which their client has not heard yet. It may have
 * taken the place of the one that the client knows by that name.
 */
@Timeout(120)
class TokenOfNewerTableTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofSeconds(1);

  @TempDir Path directory;

  private static void replace(LocalCluster cluster, long amount) {
    cluster.client.createTable(
        new TableDefinition(
            "t",
            "tally",
            new Partitioner.Hash(1),
            1,
            Durability.NONE,
            Consistency.SNAPSHOT,
            Map.of()),
        TIMEOUT);
    cluster.client.update(
        "t", new Add(), List.of(new Amount("k", amount)), UpdateOptions.ALL_COPIES);
  }

  private static long total(ClusterClient client, Token token, Duration timeout) {
    return client
        .query(Plan.query("t", new Total(), TallyEngine.adding()), new QueryOptions(timeout, token))
        .getFirst();
  }

  @Test
  void theClientWaitsUntilItHasHeardOfIt() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      replace(cluster, 1);
      try (ClusterClient late = cluster.connect("late", new ProductionThreads())) {
        assertThat(total(late, Token.NONE, TIMEOUT)).isEqualTo(1);
        cluster.news("late").hold();
        cluster.client.dropTable("t", TIMEOUT);
        replace(cluster, 10);
        Token token = cluster.client.token();
        assertThatThrownBy(() -> total(late, token, SHORT))
            .isInstanceOfSatisfying(
                UniserveException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
            .hasMessageContaining("cluster state");
        cluster.news("late").release();
        assertThat(total(late, token, TIMEOUT)).isEqualTo(10);
      }
    }
  }

  @Test
  void aTokenOfAnotherClusterIsRefused() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      replace(cluster, 1);
      Token foreign = new Token(new TreeMap<>(Map.of(1_000_000L, 1L)));
      assertThatThrownBy(() -> total(cluster.client, foreign, TIMEOUT))
          .isInstanceOfSatisfying(
              UniserveException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
          .hasMessageContaining("1000000:1");
    }
  }
}
