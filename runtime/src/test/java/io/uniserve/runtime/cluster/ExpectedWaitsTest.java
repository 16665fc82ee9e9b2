package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.ExpectedWait;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Workers;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A thread that waits for a query says how long such queries have lately taken. */
@Timeout(60)
class ExpectedWaitsTest {
  private static final long UNKNOWN_NANOS = new ExpectedWait().nanos();

  /** The waits that the calling threads expected, in their order. */
  private final List<Long> expected = new ArrayList<>();

  @Test
  void aCallerExpectsWhatItsTableHasTaken(@TempDir Path directory) throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 1);
        ClusterClient client = cluster.connect("expecting", new Noting(cluster.threads))) {
      client.createTable(
          new TableDefinition("t", "tally", new Partitioner.Hash(1), 1, Durability.NONE, Map.of()),
          Duration.ofSeconds(30));
      expected.clear();
      // Even the first query may be answered before its caller waits.
      do {
        client.query(Plan.query("t", new Total(), TallyEngine.adding()), QueryOptions.DEFAULT);
        assertThat(expected).allMatch(nanos -> nanos > 0 && nanos <= UNKNOWN_NANOS);
      } while (expected.isEmpty() || expected.getLast() == UNKNOWN_NANOS);
    }
  }

  private final class Noting implements Threads {
    private final Threads threads;

    Noting(Threads threads) {
      this.threads = threads;
    }

    @Override
    public Thread start(String name, Runnable body) {
      return threads.start(name, body);
    }

    @Override
    public Workers workers(String name, int count) {
      return threads.workers(name, count);
    }

    @Override
    public Signal signal() {
      Signal signal = threads.signal();
      return new Signal() {
        @Override
        public void set() {
          signal.set();
        }

        @Override
        public boolean isSet() {
          return signal.isSet();
        }

        @Override
        public boolean await(Deadline deadline) throws InterruptedException {
          return signal.await(deadline);
        }

        @Override
        public boolean await(Deadline deadline, long expectedNanos) throws InterruptedException {
          expected.add(expectedNanos);
          return signal.await(deadline, expectedNanos);
        }
      };
    }

    @Override
    public long cpuNanos() {
      return threads.cpuNanos();
    }
  }
}
