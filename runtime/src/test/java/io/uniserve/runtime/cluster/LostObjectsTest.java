package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.cluster.TallyEngine.Add;
import io.uniserve.runtime.cluster.TallyEngine.Amount;
import io.uniserve.runtime.cluster.TallyEngine.Total;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A copy whose disk lost its last updates, beside a durable store that has them, and lost others.
 */
@Timeout(120)
class LostObjectsTest {
  private static final String SERVER = "s1";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @TempDir Path directory;

  /** The objects of the store that are lost. */
  private enum Lost {
    UPDATES_AND_CHECKPOINTS(name -> name.startsWith("log-") || name.startsWith("checkpoint-"), 20),
    UPDATES(name -> name.startsWith("log-"), 30),
    CHECKPOINTS(name -> name.startsWith("checkpoint-"), 30);

    private final Predicate<String> names;
    private final int left;

    Lost(Predicate<String> names, int left) {
      this.names = names;
      this.left = left;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCopyDoesNotGiveUpItsDataForLess(Lost lost) throws Exception {
    Path disk = directory.resolve(SERVER);
    Path before = directory.resolve("before");
    try (LocalCluster cluster = new LocalCluster(directory, 1)) {
      cluster.client.createTable(
          new TableDefinition(
              "t",
              "tally",
              new Partitioner.Hash(1),
              1,
              Durability.ASYNCHRONOUS,
              Consistency.EVENTUAL,
              Map.of()),
          TIMEOUT);
      add(cluster, 1, 20);
      cluster.client.backups().backUp("t", TIMEOUT);
      cluster.kill(SERVER);
      copy(disk, before);
      cluster.start(SERVER);
      add(cluster, 21, 30);
      cluster.client.backups().backUp("t", TIMEOUT);
      cluster.kill(SERVER);
      delete(disk);
      copy(before, disk);
      lose(lost);
      cluster.start(SERVER);
      assertThat(sum(cluster)).isEqualTo(lost.left * (lost.left + 1) / 2);
    }
  }

  /** Deletes updates, and cuts checkpoints off. */
  private void lose(Lost lost) throws IOException {
    int damaged = 0;
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(path -> path.toString().contains("/history/")).toList()) {
        if (Files.isRegularFile(file) && lost.names.test(file.getFileName().toString())) {
          if (file.getFileName().toString().startsWith("log-")) {
            Files.delete(file);
          } else {
            Files.write(file, new byte[] {1});
          }
          damaged++;
        }
      }
    }
    assertThat(damaged).isPositive();
  }

  private static void add(LocalCluster cluster, long from, long to) {
    for (long amount = from; amount <= to; amount++) {
      cluster.client.update(
          "t",
          new Add(),
          List.of(new Amount("k" + amount, amount)),
          new UpdateOptions(TIMEOUT, Acknowledgement.PRIMARY, Optional.of("update-" + amount)));
    }
  }

  private static long sum(LocalCluster cluster) {
    return cluster
        .client
        .query(Plan.query("t", new Total(), TallyEngine.adding()), new QueryOptions(TIMEOUT))
        .getFirst();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path path : all.sorted((one, other) -> other.compareTo(one)).toList()) {
        Files.delete(path);
      }
    }
  }
}
