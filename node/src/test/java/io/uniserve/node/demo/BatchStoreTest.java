package io.uniserve.node.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.warehouse.WarehouseEngine;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.remote.Retries;
import io.uniserve.runtime.client.ForwardingClient;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.Updates;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Batches of a table without a key, where a row that is stored twice appears twice. */
@Timeout(120)
class BatchStoreTest {
  private static final Retries RETRIES = new Retries(3, Duration.ofMillis(1), Duration.ofMillis(1));
  private static final TableDefinition TABLE =
      new TableDefinition(
          "numbers",
          "warehouse",
          new Partitioner.Hash(3),
          1,
          Durability.NONE,
          Map.of("columns", Map.of("n", "bigint not null"), "partitionBy", "n"));

  @TempDir private Path directory;
  private EmbeddedCluster cluster;
  private final List<String> keys = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger lost = new AtomicInteger();

  @BeforeEach
  void start() {
    cluster = EmbeddedCluster.start(directory, 1, new WarehouseEngine());
    cluster.client().createTable(TABLE, Duration.ofSeconds(60));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  /**
   * Returns the cluster's client, some of whose first answers are lost after everything was stored.
   */
  private UniserveClient client() {
    return new ForwardingClient(cluster.client()) {
      @Override
      public Updates updates() {
        return losing(super.updates());
      }
    };
  }

  private Updates losing(Updates updates) {
    return (Updates)
        Proxy.newProxyInstance(
            BatchStoreTest.class.getClassLoader(),
            new Class<?>[] {Updates.class},
            (proxy, method, arguments) -> {
              Object answer;
              try {
                answer = method.invoke(updates, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              if (method.getName().equals("update")) {
                keys.add(((UpdateOptions) arguments[3]).idempotencyKey().orElseThrow());
                if (lost.getAndDecrement() > 0) {
                  throw new UniserveException(
                      ErrorCode.DEADLINE_EXCEEDED, "no answer before the deadline");
                }
              }
              return answer;
            });
  }

  private long store(int batches) {
    Iterator<List<Map<String, Object>>> all =
        IntStream.range(0, batches)
            .mapToObj(i -> List.of(Map.<String, Object>of("n", (long) i)))
            .iterator();
    LongAdder stored = new LongAdder();
    new BatchStore(client(), TABLE, 2, RETRIES)
        .store(() -> all.hasNext() ? all.next() : List.of(), stored::add);
    return stored.sum();
  }

  private Object count() {
    UniserveClient client = cluster.client();
    Map<?, ?> answer =
        (Map<?, ?>)
            client.query(
                client.planner(TABLE).plan(TABLE, "select count(*) from numbers", Map.of()),
                QueryOptions.DEFAULT);
    return ((List<?>) ((List<?>) answer.get("rows")).getFirst()).getFirst();
  }

  @Test
  void whatHasNoAnswerIsSentAgainAndStoredOnce() {
    lost.set(2);
    assertThat(store(5)).isEqualTo(5);
    assertThat(keys).hasSize(7);
    assertThat(keys.stream().distinct()).hasSize(5);
    assertThat(count()).isEqualTo(5L);
  }

  @Test
  void itIsNotSentAgainForEver() {
    lost.set(Integer.MAX_VALUE);
    assertThatThrownBy(() -> store(1)).hasMessageContaining("no answer before the deadline");
    assertThat(keys).hasSize(3);
    assertThat(keys.stream().distinct()).hasSize(1);
    assertThat(count()).isEqualTo(1L);
  }
}
