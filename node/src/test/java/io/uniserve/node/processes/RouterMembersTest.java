package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code uniserve router add} and {@code router remove}: a lost router is replaced. */
@Tag("processes")
@Timeout(600)
class RouterMembersTest {
  @TempDir private Path directory;

  @Test
  void aLostRouterIsReplaced() throws IOException, InterruptedException {
    try (ProcessCluster cluster = ProcessCluster.start(directory, 3, 2);
        RemoteCluster remote = cluster.connect()) {
      create(remote, "before");
      String lost = cluster.leader(remote);
      cluster.kill(lost);
      String fresh = cluster.addRouter("r4");
      assertThat(router(cluster, "add", fresh)).startsWith("Routers: ").contains(fresh);
      assertThat(router(cluster, "remove", cluster.address(lost)))
          .isEqualTo("Router " + cluster.address(lost) + " removed");
      cluster.await("three that vote", state -> ProcessCluster.voting(remote) == 3);
      assertThat(router(cluster, "list")).containsPattern(fresh + " +\\S+ +(follows|leads) ");

      // Of the three, the new one is needed now.
      cluster.kill(cluster.leader(remote));
      create(remote, "after");
      cluster.await(
          "both tables",
          state -> state.toString().matches("(?s).*before.*after.*|.*after.*before.*"));
    }
  }

  private static void create(RemoteCluster remote, String table) {
    Waiting.forTable(
        remote,
        Map.of(
            "name", table, "engine", "notes", "actors", 4L, "replicas", 2L, "durability", "none"));
  }

  /** Runs the command; returns what it says. */
  private static String router(ProcessCluster cluster, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("router"));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--url", cluster.url()));
    Process process =
        Jvm.command(64, command.toArray(String[]::new)).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said.strip();
  }
}
