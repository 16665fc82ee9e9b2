package io.uniserve.node.processes;

import io.uniserve.node.processes.FaultyProxy.Trouble;
import io.uniserve.testkit.tools.Namespaces;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The faults of the processes of a cluster, of their network and of their store. Each is begun and
 * ended.
 */
final class Faults {
  private static final List<Trouble> TROUBLES =
      List.of(Trouble.AWAY, Trouble.UNAVAILABLE, Trouble.SLOW, Trouble.LOST_ANSWERS);

  private final ProcessCluster cluster;
  private final Optional<Namespaces> network;
  private final Optional<FaultyProxy> store;
  private final Random random;

  /** A kind of fault. */
  enum Kind {
    /** Kills the victims with {@code kill -9}. A restart ends the fault. */
    KILL,
    /** Stops the victims with {@code SIGSTOP}. {@code SIGCONT} ends the fault. */
    PAUSE,
    /** Cuts the victims off from all others. They still reach one another. */
    PARTITION,
    /**
     * Kills the victims with {@code kill -9} and changes a byte of a log or a checkpoint before the
     * restart.
     */
    ROT,
    /** Fills the disks of the victims. The fault ends once the disks have room again. */
    FULL,
    /** Cuts the first two victims off from each other, but not from others. */
    APART,
    /**
     * Makes the durable store unreachable, unwilling, slow, or lose its answers. There are no
     * victims.
     */
    STORE
  }

  /**
   * @param network the network of the processes, if they can be cut off
   * @param store the proxy through which they reach their store, if the store can fail
   * @param random selects the files that rot and the trouble of the store
   */
  Faults(
      ProcessCluster cluster,
      Optional<Namespaces> network,
      Optional<FaultyProxy> store,
      Random random) {
    this.cluster = cluster;
    this.network = network;
    this.store = store;
    this.random = random;
  }

  /** Returns the kinds of faults that are possible. */
  List<Kind> kinds() {
    List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
    if (network.isEmpty()) {
      kinds.removeAll(List.of(Kind.PARTITION, Kind.APART));
    }
    if (store.isEmpty()) {
      kinds.remove(Kind.STORE);
    }
    if (!cluster.hasSmallDisks()) {
      kinds.remove(Kind.FULL);
    }
    return kinds;
  }

  void begin(Kind kind, List<String> victims) throws IOException {
    switch (kind) {
      case KILL, ROT -> victims.forEach(cluster::kill);
      case FULL -> {
        for (String victim : victims) {
          cluster.disk(victim).fill(0);
        }
      }
      case PAUSE -> signal("-STOP", victims);
      case PARTITION -> network.orElseThrow().cutOff(victims);
      case APART -> network.orElseThrow().part(victims.getFirst(), victims.get(1));
      case STORE -> {
        Trouble trouble = TROUBLES.get(random.nextInt(TROUBLES.size()));
        System.out.println("the store is " + trouble);
        store.orElseThrow().have(trouble);
      }
    }
  }

  void end(Kind kind, List<String> victims) throws IOException {
    switch (kind) {
      case KILL -> {
        for (String victim : victims) {
          cluster.start(victim);
        }
      }
      case ROT -> {
        for (String victim : victims) {
          rot(cluster.data(victim));
          cluster.start(victim);
        }
      }
      case FULL -> {
        for (String victim : victims) {
          cluster.disk(victim).free();
        }
      }
      case PAUSE -> signal("-CONT", victims);
      case PARTITION -> network.orElseThrow().reconnect(victims);
      case APART -> network.orElseThrow().join(victims.getFirst(), victims.get(1));
      case STORE -> store.orElseThrow().have(Trouble.NONE);
    }
  }

  /** Flips one bit of one file. */
  private void rot(Path data) throws IOException {
    List<Path> files;
    try (Stream<Path> paths = Files.walk(data)) {
      files =
          paths
              .filter(path -> path.toString().contains("/actors/"))
              .filter(Files::isRegularFile)
              .filter(Faults::hasBytes)
              .sorted()
              .toList();
    }
    Path file = files.get(random.nextInt(files.size()));
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      long at = random.nextLong(bytes.length());
      bytes.seek(at);
      int was = bytes.read();
      bytes.seek(at);
      bytes.write(was ^ 1 << random.nextInt(8));
      System.out.println("a bit of byte " + at + " of " + file + " is flipped");
    }
  }

  private static boolean hasBytes(Path file) {
    return file.toFile().length() > 0;
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
