package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.UniserveException;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every process is told to end and started again, one after another, under load. */
@Tag("processes")
@Timeout(600)
class RollingRestartTest {
  private static final List<String> PROCESSES =
      List.of("s1", "s2", "s3", "r1", "r2", "r3", "gateway", "gateway-2");

  @TempDir private Path directory;

  @Test
  void failsNoQueryAndNoUpdate() throws IOException {
    try (ProcessCluster cluster = ProcessCluster.start(directory, 3, 3);
        RemoteCluster first = cluster.connect();
        RemoteCluster second = cluster.startGateway("gateway-2")) {
      cluster.await("another gateway", state -> answers(first, second));
      create(first);
      try (GatewayLoad load = new GatewayLoad(List.of(first, second))) {
        load.awaitRounds(50);
        for (String name : PROCESSES) {
          cluster.terminate(name);
          load.awaitRounds(20);
          cluster.start(name);
          cluster.await(name + " and all", state -> whole(state) && answers(first, second));
          load.awaitRounds(20);
        }
        assertThat(load.failures()).isEmpty();
      }
    }
  }

  /** Whether each gateway knows of three servers and of three routers that vote. */
  private static boolean answers(RemoteCluster... gateways) {
    try {
      return Arrays.stream(gateways)
          .allMatch(
              gateway ->
                  ProcessCluster.alive(gateway.get("/api/cluster")) == 3
                      && ProcessCluster.voting(gateway) == 3);
    } catch (UniserveException e) {
      return false; // it does not listen yet
    }
  }

  private static void create(RemoteCluster remote) {
    Waiting.forTable(
        remote,
        Map.of(
            "name", "notes",
            "engine", "notes",
            "actors", 6L,
            "replicas", 2L,
            "durability", "none"));
  }

  private static boolean whole(Map<String, Object> cluster) {
    return ProcessCluster.alive(cluster) == 3 && ProcessCluster.ready(cluster);
  }
}
