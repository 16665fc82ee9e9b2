package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.uniserve.api.Keys;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Adds under keys of its own and asks for their sum, over and over. */
final class TallyLoad implements AutoCloseable {
  private final LocalCluster cluster;
  private final String prefix;
  private final Thread thread;
  private volatile boolean stop;
  private volatile long rounds;
  private volatile Throwable failure;

  TallyLoad(LocalCluster cluster, String prefix) {
    this.cluster = cluster;
    this.prefix = prefix;
    thread = Thread.ofPlatform().start(this::run);
  }

  private void run() {
    try {
      for (long i = 1; !stop; i++) {
        List<Amount> two =
            List.of(new Amount(prefix + i % 50, 1), new Amount(prefix + "x" + i % 7, 1));
        cluster.client.update("t", new Add(), two, UpdateOptions.ALL_COPIES);
        long sum =
            sums(cluster).entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .mapToLong(Map.Entry::getValue)
                .sum();
        assertThat(sum).isEqualTo(2 * i);
        rounds = i;
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  void awaitSome() {
    long wanted = rounds + 20;
    while (rounds < wanted && failure == null) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    stop = true;
    assertThatCode(thread::join).doesNotThrowAnyException();
    assertThat(failure).isNull();
  }

  private static Map<String, Long> sums(LocalCluster cluster) {
    return cluster.client.query(
        new Plan.Query<>(
            new Source.Table("t", Keys.ALL), new TallyEngine.Sums(), TallyEngine.collecting()),
        new QueryOptions(Duration.ofSeconds(20)));
  }
}
