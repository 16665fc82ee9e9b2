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

/**
 * A cluster of a controller, servers and a gateway, each a process of its own, with a table of two
 * copies.
 */
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

  /** Kills a process with {@code kill -9}. */
  void kill(String name) {
    processes.kill(name);
  }

  /** Stops a process with {@code SIGSTOP}. Its connections stay open. */
  void halt(String name) throws IOException {
    processes.halt(name);
  }

  /** Resumes a stopped process. */
  void resume(String name) throws IOException {
    processes.resume(name);
  }

  /**
   * Creates the table and stores the given number of documents, all of which contain the word
   * {@code text}.
   */
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

  /** Returns the count of a query of all documents. */
  long count() {
    Map<String, Object> answer = remote.get("/api/tables/" + TABLE + "/query?q=text&rows=1");
    return (Long) new Settings("the answer", answer).object("result").get("total");
  }

  /** Waits until every actor has two readable copies on live servers. */
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
