package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of controllers that are real processes and are restarted, killed and replaced under load.
 * Each test begins with three that vote, and leaves as many. LeaderChangeTest, in simulated time,
 * and {@code bench control-log} measure how soon another controller leads.
 */
@Tag("processes")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // one cluster serves all tests
class ReplicatedControllersTest {
  private static final int CONTROLLERS = 3;
  private static final int SERVERS = 3;
  private static final int KILLS = 3;

  private ProcessCluster cluster;
  private RemoteCluster first;
  private RemoteCluster second;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    cluster = ProcessCluster.start(directory, CONTROLLERS, SERVERS);
    first = cluster.connect();
    second = cluster.startGateway("gateway-2");
    cluster.await("another gateway", state -> answers(first, second));
  }

  @AfterAll
  void stop() throws Exception {
    for (AutoCloseable started :
        Stream.of(first, second, cluster).filter(Objects::nonNull).toList()) {
      started.close();
    }
  }

  /** Drops the tables, because every copy makes servers talk to each other even when it is idle. */
  @AfterEach
  void dropTables() {
    ProcessCluster.dropTables(first);
  }

  @Test
  void aRollingRestartFailsNoQueryAndNoUpdate() throws IOException {
    create("restarted", 6);
    try (GatewayLoad load = new GatewayLoad("restarted", List.of(first, second))) {
      load.awaitRounds(20);
      for (String name : cluster.names()) {
        cluster.terminate(name);
        load.awaitRounds(5);
        cluster.start(name);
        cluster.await(name + " and all", state -> isWhole(state) && answers(first, second));
        load.awaitRounds(5);
      }
      load.finish();
    }
  }

  @Test
  void noRequestFailsAndDecisionsGoOnThoughTheLeaderIsKilled() throws IOException {
    for (int kill = 1; kill <= KILLS; kill++) {
      create("kill-" + kill, 4);
      try (GatewayLoad load = new GatewayLoad("kill-" + kill, List.of(first))) {
        String leader = cluster.leader(first);
        load.awaitRounds(20);
        cluster.kill(leader);
        create("after-kill-" + kill, 4);
        load.awaitRounds(20);
        load.finish();
        cluster.start(leader);
        cluster.await("all controllers", state -> ProcessCluster.voting(first) == CONTROLLERS);
      }
      dropTables();
    }
  }

  @Test
  void aSessionLosesAndRepeatsNothingThoughItsControllerAndAServerAreKilled(@TempDir Path ofClient)
      throws IOException {
    try (RealClient client = new RealClient(cluster.controllers(), ofClient, tap -> tap);
        SessionLoad load = new SessionLoad(client.client());
        SessionLoad brief = new SessionLoad(client.client(), load.table(), SessionLoad.Way.SHORT)) {
      load.await(200);
      brief.await(200);
      for (String victim : List.of(cluster.leader(first), "s1")) {
        cluster.kill(victim);
        load.await(200);
        brief.await(200);
        cluster.start(victim);
        cluster.await("all copies", ReplicatedControllersTest::isWhole);
      }
      load.finish();
      brief.finish();
    }
  }

  /** Replaces a controller by {@code uniserve controller add} and {@code controller remove}. */
  @Test
  void aLostControllerIsReplaced() throws IOException, InterruptedException {
    create("before", 4);
    String lost = cluster.leader(first);
    cluster.kill(lost);
    String fresh = cluster.addController("r4");
    assertThat(controller("add", fresh)).startsWith("Controllers: ").contains(fresh);
    assertThat(controller("remove", cluster.address(lost)))
        .isEqualTo("Controller " + cluster.address(lost) + " removed");
    cluster.await("three that vote", state -> ProcessCluster.voting(first) == CONTROLLERS);
    assertThat(controller("list")).containsPattern(fresh + " +\\S+ +(follows|leads) ");

    // The majority of the three now needs the new controller.
    String leader = cluster.leader(first);
    cluster.kill(leader);
    create("after", 4);
    cluster.await(
        "both tables",
        state -> state.toString().matches("(?s).*before.*after.*|.*after.*before.*"));
    cluster.start(leader);
    cluster.await("three that vote again", state -> ProcessCluster.voting(first) == CONTROLLERS);
  }

  private void create(String table, long actors) {
    Waiting.forTable(
        first,
        Map.of(
            "name",
            table,
            "engine",
            "notes",
            "actors",
            actors,
            "replicas",
            2L,
            "durability",
            "none"));
  }

  private static boolean isWhole(Map<String, Object> state) {
    return ProcessCluster.alive(state) == SERVERS && ProcessCluster.ready(state);
  }

  /** Returns whether each gateway knows all servers and all controllers that vote. */
  private static boolean answers(RemoteCluster... gateways) {
    try {
      return Arrays.stream(gateways)
          .allMatch(
              gateway ->
                  ProcessCluster.alive(gateway.get("/api/cluster")) == SERVERS
                      && ProcessCluster.voting(gateway) == CONTROLLERS);
    } catch (UniserveException e) {
      return false; // the gateway does not listen yet
    }
  }

  /** Runs the command and returns its output. */
  private String controller(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("controller"));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--url", cluster.url()));
    Process process =
        Jvm.command(64, command.toArray(String[]::new)).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said.strip();
  }
}
