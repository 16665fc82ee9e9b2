package io.uniserve.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.testkit.client.TableRows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The versions in a token of a table that was recovered since. */
@Timeout(120)
class RecoveredTokenTest {
  private static final String TABLE = "notes";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void aTokenOfTheFormerTableIsRefusedAndLaterOnesDoNotHoldIt() {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(
            new EmbeddedSettings(directory, 2, Plugins.load().engines(), Optional.empty()))) {
      UniserveClient client = cluster.client();
      client.createTable(definition(), TIMEOUT);
      store(client, "n1");
      client.backups().backUp(TABLE, TIMEOUT);
      Token before = client.token();
      assertThat(total(client, before)).isEqualTo(1);
      String server = primary(client);
      cluster.stopServer(server);
      recover(client);
      requireRefused(client, before);
      assertThat(total(client, Token.NONE)).isEqualTo(1);
      store(client, "n2");
      assertThat(total(client, client.token())).isEqualTo(2);

      client.backups().backUp(TABLE, TIMEOUT);
      cluster.startServer(server);
      cluster.stopServer(primary(client));
      recover(client);
      requireRefused(client, before);
      assertThat(total(client, Token.NONE)).isEqualTo(2);
    }
  }

  private static String primary(UniserveClient client) {
    return client.state().requireTable(TABLE).actors().getFirst().primary();
  }

  private static void requireRefused(UniserveClient client, Token before) {
    assertThatThrownBy(() -> total(client, before))
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessageContaining("the token is of table 'notes' before it was recovered");
  }

  /** Recovers the table. Before the failure is known there is nothing to recover. */
  private static void recover(UniserveClient client) {
    while (true) { // until the test's time is up
      try {
        client.backups().recover(TABLE, TIMEOUT);
        return;
      } catch (UniserveException e) {
        assertThat(e.getMessage()).contains("has lost nothing");
      }
    }
  }

  private static void store(UniserveClient client, String id) {
    TableDefinition now = client.table(TABLE).orElseThrow().definition();
    TableRows.store(client, now, List.of(Map.of("id", id, "text", "a note")));
  }

  private static long total(UniserveClient client, Token token) {
    TableDefinition now = client.table(TABLE).orElseThrow().definition();
    Map<?, ?> answer =
        (Map<?, ?>)
            client.query(
                client.planner(now).plan(now, "note", Map.of("rows", "0")),
                new QueryOptions(TIMEOUT, token));
    return (Long) answer.get("total");
  }

  private static TableDefinition definition() {
    return new TableDefinition(
        TABLE,
        "search",
        new Partitioner.Hash(1),
        1,
        Durability.ASYNCHRONOUS,
        Consistency.SNAPSHOT,
        Map.of("fields", Map.of("text", Map.of("type", "text")), "defaultField", "text"));
  }
}
