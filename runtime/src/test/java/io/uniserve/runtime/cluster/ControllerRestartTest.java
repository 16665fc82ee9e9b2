package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.production.FileStorage;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The states of a controller's disk after it was killed. */
@Timeout(60)
class ControllerRestartTest {
  @TempDir Path directory;

  @Test
  void anUnfinishedRecordIsForgottenAndAllOthersAreKept() throws Exception {
    String cluster = makeTable();
    Files.write(controlLog(), new byte[] {0, 0, 0, 99, 1, 2}, StandardOpenOption.APPEND);
    try (LocalCluster again = new LocalCluster(directory, 2)) {
      assertThat(again.client.state().cluster()).isEqualTo(cluster);
      assertThat(again.client.state().table("t")).isPresent();
    }
  }

  @Test
  void aDamagedControlLogIsRefused() throws Exception {
    makeTable();
    byte[] bytes = Files.readAllBytes(controlLog());
    bytes[10] ^= 1;
    Files.write(controlLog(), bytes);
    assertThatThrownBy(() -> new LocalCluster(directory, 2))
        .hasMessageContaining("log-0000000000000000001");
  }

  @Test
  void aDamagedLengthInTheControlLogIsNotTakenForItsEnd() throws Exception {
    makeTable();
    byte[] bytes = Files.readAllBytes(controlLog());
    int second = 8 + ByteBuffer.wrap(bytes).getInt();
    bytes[second + 2] ^= 0x40;
    Files.write(controlLog(), bytes);
    assertThatThrownBy(() -> new LocalCluster(directory, 2))
        .hasMessageContaining("log-0000000000000000001");
    assertThat(controlLog()).hasBinaryContent(bytes);
  }

  @Test
  void aServerWithTheDataOfAnotherClusterIsRefusedAndKeepsIt() throws Exception {
    makeTable();
    new FileStorage(directory).deleteTree(directory.resolve("controller"));
    assertThatThrownBy(() -> new LocalCluster(directory, 2, Duration.ofSeconds(2)))
        .hasMessageContaining("deadline");
    assertThat(directory.resolve("s1/actors")).isNotEmptyDirectory();
  }

  private String makeTable() throws Exception {
    try (LocalCluster cluster = new LocalCluster(directory, 2)) {
      cluster.client.createTable(
          new TableDefinition("t", "tally", new Partitioner.Hash(2), 2, Durability.NONE, Map.of()),
          Duration.ofSeconds(10));
      return cluster.client.state().cluster();
    }
  }

  private Path controlLog() {
    return directory.resolve("controller/log/log-0000000000000000001");
  }
}
