package io.uniserve.bench.failover;

import io.uniserve.api.Consistency;
import io.uniserve.bench.systems.NodeProcesses;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.testkit.tools.Hosts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A router, servers and a gateway, each a process of its own, and a table with two copies. */
final class FailoverCluster implements AutoCloseable {
  static final String TABLE = "notes";

  private static final int ACTORS = 8;
  private static final int COPIES = 2;
  private static final int BATCH = 1_000;

  private final NodeProcesses processes;
  private final RemoteCluster remote;

  private FailoverCluster(NodeProcesses processes) {
    this.processes = processes;
    remote = processes.remote();
  }

  static FailoverCluster start(Path directory, int servers) throws IOException {
    return new FailoverCluster(NodeProcesses.start(directory, Hosts.LOOPBACK, 1, servers));
  }

  List<String> serverNames() {
    return processes.serverNames();
  }

  /** Starts a process again. */
  void start(String name) throws IOException {
    processes.start(name);
  }

  /** {@code kill -9}. */
  void kill(String name) {
    processes.kill(name);
  }

  /** {@code SIGSTOP}: it stands still, and its connections stay open. */
  void halt(String name) throws IOException {
    processes.halt(name);
  }

  /** It goes on. */
  void resume(String name) throws IOException {
    processes.resume(name);
  }

  /** Makes the table and stores so many documents, all of which hold the word {@code text}. */
  void load(int documents) {
    processes.createSearchTable(TABLE, ACTORS, COPIES, Consistency.EVENTUAL);
    for (int first = 0; first < documents; first += BATCH) {
      StringBuilder lines = new StringBuilder();
      for (int i = first; i < Math.min(documents, first + BATCH); i++) {
        lines
            .append("{\"id\":\"")
            .append(i)
            .append("\",\"body\":\"text ")
            .append(i)
            .append("\"}\n");
      }
      remote.postRecords(
          "/api/tables/" + TABLE + "/records?acknowledge=all",
          StandardCharsets.UTF_8.encode(lines.toString()),
          "documents-" + first);
    }
  }

  /** How many documents a query of all of them counts. */
  long count() {
    Map<String, Object> answer = remote.get("/api/tables/" + TABLE + "/query?q=text&rows=1");
    return (Long) new Settings("the answer", answer).object("result").get("total");
  }

  /** Waits until every actor has two readable copies on servers that live. */
  void awaitWhole() {
    processes.awaitWhole(COPIES);
  }

  void awaitServers(int alive) {
    processes.awaitServers(alive);
  }

  @Override
  public void close() {
    processes.close();
  }
}
