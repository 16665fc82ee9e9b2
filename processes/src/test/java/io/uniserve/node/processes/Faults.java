package io.uniserve.node.processes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What goes wrong with the processes of a cluster: begun, and ended again. */
final class Faults {
  private final ProcessCluster cluster;
  private final Optional<Namespaces> network;

  /** A kind of fault. */
  enum Kind {
    /** {@code kill -9}; it ends by a restart. */
    KILL,
    /** {@code SIGSTOP}; it ends with {@code SIGCONT}. */
    PAUSE,
    /** The victims reach one another, and nobody else. */
    PARTITION
  }

  /**
   * @param network in which the processes are, if they can be cut off
   */
  Faults(ProcessCluster cluster, Optional<Namespaces> network) {
    this.cluster = cluster;
    this.network = network;
  }

  /** The kinds that are possible. */
  List<Kind> kinds() {
    List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
    if (network.isEmpty()) {
      kinds.remove(Kind.PARTITION);
    }
    return kinds;
  }

  void begin(Kind kind, List<String> victims) throws IOException {
    switch (kind) {
      case KILL -> victims.forEach(cluster::kill);
      case PAUSE -> signal("-STOP", victims);
      case PARTITION -> network.orElseThrow().cutOff(victims);
    }
  }

  void end(Kind kind, List<String> victims) throws IOException {
    switch (kind) {
      case KILL -> {
        for (String victim : victims) {
          cluster.start(victim);
        }
      }
      case PAUSE -> signal("-CONT", victims);
      case PARTITION -> network.orElseThrow().reconnect(victims);
    }
  }

  private void signal(String signal, List<String> victims) throws IOException {
    for (String victim : victims) {
      String pid = Long.toString(cluster.pid(victim));
      int code = new ProcessBuilder("kill", signal, pid).start().onExit().join().exitValue();
      if (code != 0) {
        throw new IOException("'kill " + signal + " " + pid + "' ended with " + code);
      }
    }
  }
}
