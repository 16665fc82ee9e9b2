package io.uniserve.bench.controllog;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.systems.ChildProcess;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Three members of etcd, each a process of its own on loopback with its log on disk, and etcd's own
 * load generator.
 */
final class EtcdMembers implements AutoCloseable {
  private static final int MEMBERS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int LOOK_MILLIS = 1_000;
  private static final long POLL_NANOS = 100_000_000;
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s*([0-9.]+)");

  /** The puts by which the rate is found that a window is made of. */
  private static final int TRIAL_PUTS = 500;

  private final EtcdPrograms programs;
  private final Path directory;
  private final List<Integer> clientPorts;
  private final List<ChildProcess> processes = new ArrayList<>();
  private int runs;

  EtcdMembers(EtcdPrograms programs, Path directory) {
    this.programs = programs;
    this.directory = directory;
    List<Integer> ports = freePorts(2 * MEMBERS);
    this.clientPorts = ports.subList(0, MEMBERS);
    List<Integer> peerPorts = ports.subList(MEMBERS, 2 * MEMBERS);
    String cluster =
        IntStream.range(0, MEMBERS)
            .mapToObj(i -> "m" + i + "=" + url(peerPorts.get(i)))
            .collect(Collectors.joining(","));
    for (int i = 0; i < MEMBERS; i++) {
      processes.add(start("m" + i, url(clientPorts.get(i)), url(peerPorts.get(i)), cluster));
    }
    clientPorts.forEach(EtcdMembers::awaitHealth);
  }

  private ChildProcess start(String name, String clients, String peers, String cluster) {
    List<String> command =
        List.of(
            programs.server().toString(),
            "--name=" + name,
            "--data-dir=" + directory.resolve(name),
            "--listen-client-urls=" + clients,
            "--advertise-client-urls=" + clients,
            "--listen-peer-urls=" + peers,
            "--initial-advertise-peer-urls=" + peers,
            "--initial-cluster=" + cluster,
            "--initial-cluster-state=new");
    return ChildProcess.start("etcd " + name, command, directory.resolve(name + ".log"));
  }

  private static String url(int port) {
    return "http://127.0.0.1:" + port;
  }

  private static void awaitHealth(int port) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!isHealthy(port)) {
      if (System.nanoTime() > end) {
        throw new BenchException("The member of etcd at port " + port + " does not become healthy");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static boolean isHealthy(int port) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(url(port) + "/health").toURL().openConnection();
      connection.setConnectTimeout(LOOK_MILLIS);
      connection.setReadTimeout(LOOK_MILLIS);
      return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException e) {
      return false; // it has not started yet
    }
  }

  /**
   * Returns the number of puts a second.
   *
   * @param clients the number of clients; each waits for an answer before it sends again
   */
  double putsPerSecond(int clients, int valueBytes, double seconds) {
    double trial = run(clients, valueBytes, TRIAL_PUTS * clients);
    return run(clients, valueBytes, (int) Math.max(TRIAL_PUTS, trial * seconds));
  }

  private double run(int clients, int valueBytes, int total) {
    runs++;
    Path log = directory.resolve("load-" + runs + ".log");
    String endpoints =
        clientPorts.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    List<String> command =
        List.of(
            programs.load().toString(),
            "--endpoints=" + endpoints,
            "--target-leader",
            "--conns=" + Math.min(clients, 8),
            "--clients=" + clients,
            "put",
            "--sequential-keys",
            "--key-space-size=100000",
            "--val-size=" + valueBytes,
            "--total=" + total);
    try (ChildProcess load = ChildProcess.start("load of etcd", command, log)) {
      String output = new String(load.output().readAllBytes(), StandardCharsets.UTF_8);
      Matcher rate = RATE.matcher(output);
      if (!rate.find()) {
        throw new BenchException("The load generator of etcd told no rate; see " + log);
      }
      return Double.parseDouble(rate.group(1));
    } catch (IOException e) {
      throw new BenchException("Cannot read what the load generator of etcd tells", e);
    }
  }

  private static List<Integer> freePorts(int count) {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } catch (IOException e) {
      throw new BenchException("There is no free port", e);
    } finally {
      sockets.forEach(EtcdMembers::close);
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new BenchException("Cannot close a socket that nobody uses", e);
    }
  }

  @Override
  public void close() {
    processes.forEach(ChildProcess::close);
  }
}
