package io.uniserve.node.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of controllers that start and end processes, during which the leader is killed. */
@Tag("processes")
@Timeout(600)
class ScaledProcessesTest {
  @TempDir private Path directory;

  @AfterEach
  void endServers() throws IOException {
    for (ProcessHandle process : servers().values()) {
      process.destroyForcibly();
      process.onExit().join();
    }
  }

  /** Returns the running servers that the controllers know. */
  private Map<String, ProcessHandle> servers() throws IOException {
    Map<String, ProcessHandle> running = new TreeMap<>();
    Path files = directory.resolve("servers");
    if (Files.isDirectory(files)) {
      try (Stream<Path> all = Files.list(files)) {
        for (Path file : all.filter(path -> path.toString().endsWith(".pid")).toList()) {
          long pid = Long.parseLong(Files.readString(file).split(" ")[0]);
          String name = file.getFileName().toString().replace(".pid", "");
          ProcessHandle.of(pid)
              .filter(ProcessHandle::isAlive)
              .ifPresent(process -> running.put(name, process));
        }
      }
    }
    return running;
  }

  /**
   * Returns the number of processes of the system that were started with one of the configurations.
   */
  private long processesOfServers() {
    String configs = directory.resolve("servers").toString();
    return ProcessHandle.allProcesses()
        .filter(process -> commandLine(process.pid()).contains(configs))
        .count();
  }

  /** Returns the whole command line of a process. The JDK cuts off a long one. */
  private static String commandLine(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // the process has ended meanwhile
    }
  }

  @Test
  void aLeaderThatDiesStartsNothingTwiceAndForgetsNoDrain() throws IOException {
    try (ProcessCluster cluster = ProcessCluster.startScaled(directory, 3);
        RemoteCluster remote = cluster.connect()) {
      scale(remote, 2);
      cluster.await("two servers", state -> ProcessCluster.alive(state) == 2);
      Waiting.forTable(
          remote,
          Map.of(
              "name", "notes",
              "engine", "notes",
              "actors", 6L,
              "replicas", 2L,
              "durability", "none"));
      try (GatewayLoad load = new GatewayLoad("notes", List.of(remote))) {
        load.awaitRounds(10);
        scale(remote, 4);
        cluster.await("a fleet of four", state -> fleet(remote) == 4);
        cluster.kill(cluster.leader(remote));
        cluster.await("four servers with copies", state -> holders(state).size() == 4);
        assertThat(processesOfServers()).isEqualTo(4);
        load.awaitRounds(10);

        scale(remote, 2);
        cluster.await("a drain", state -> fleet(remote) == 2);
        for (String name : List.of("r1", "r2", "r3")) {
          if (!cluster.runs(name)) {
            cluster.start(name);
          }
        }
        cluster.await("three controllers", state -> ProcessCluster.voting(remote) == 3);
        cluster.kill(cluster.leader(remote));
        cluster.await("two servers", state -> ProcessCluster.alive(state) == 2);
        cluster.await("all copies", ProcessCluster::ready);
        awaitServers(cluster, Set.of("s1", "s2"));
        load.awaitRounds(10);
        load.finish();
      }
    }
  }

  private void awaitServers(ProcessCluster cluster, Set<String> names) {
    cluster.await(
        "processes " + names,
        state -> {
          try {
            return servers().keySet().equals(names) && processesOfServers() == names.size();
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
  }

  private static void scale(RemoteCluster remote, long size) {
    remote.post(
        "/api/scaling",
        Map.of("min", 2L, "max", 4L, "policy", "schedule:else=" + size, "intervalMillis", 200L));
  }

  private static int fleet(RemoteCluster remote) {
    return new Settings("the answer", remote.get("/api/scaling")).list("fleet").size();
  }

  /** Returns the servers that have a serving copy. */
  private static Set<String> holders(Map<String, Object> cluster) {
    Set<String> holders = new TreeSet<>();
    for (Object table : new Settings("cluster", cluster).list("tables")) {
      for (Object actor : new Settings("a table", table).list("assignment")) {
        new Settings("an actor", actor)
            .object("copies")
            .forEach(
                (server, status) -> {
                  if ("ready".equals(status)) {
                    holders.add(server);
                  }
                });
      }
    }
    return holders;
  }
}
