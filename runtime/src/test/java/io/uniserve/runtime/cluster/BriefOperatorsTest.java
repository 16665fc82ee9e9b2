package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.cluster.TallyEngine.ThreadName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Brief operators run on the thread that asks for them, if it is in the same process. */
@Timeout(60)
class BriefOperatorsTest {
  private static final int ACTORS = 8;
  private static final int NONE = ACTORS + 1;

  private LocalCluster cluster;

  @BeforeEach
  void create(@TempDir Path directory) throws Exception {
    cluster = new LocalCluster(directory, 3);
    cluster.client.createTable(
        new TableDefinition(
            "t", "tally", new Partitioner.Hash(ACTORS), 2, Durability.NONE, Map.of()),
        Duration.ofSeconds(30));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private List<String> threads(ThreadName operator) {
    return cluster.client.query(
        Plan.query("t", operator, BriefOperatorsTest::listing), QueryOptions.DEFAULT);
  }

  private static Operator.Combiner<String, List<String>> listing() {
    return new Operator.Combiner<>() {
      private final List<String> all = new ArrayList<>();

      @Override
      public void add(int actor, String value) {
        all.add(value);
      }

      @Override
      public List<String> result() {
        return all;
      }
    };
  }

  @Test
  void runsWhatIsBriefWhereItIsAskedFor() {
    String here = Thread.currentThread().getName();
    assertThat(threads(new ThreadName(true, NONE))).hasSize(ACTORS).containsOnly(here);
    assertThat(threads(new ThreadName(false, NONE))).hasSize(ACTORS).doesNotContain(here);
  }

  @Test
  void saysWhatFailedOnTheCallersThread() {
    assertThatThrownBy(() -> threads(new ThreadName(true, 3)))
        .isInstanceOfSatisfying(
            UniserveException.class,
            failure -> {
              assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
              assertThat(failure).hasMessageContaining("fails");
            });
    assertThat(threads(new ThreadName(true, NONE))).hasSize(ACTORS);
  }
}
