package io.uniserve.node.processes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A network namespace for each process, all connected to a bridge. A second bridge, which leads
 * nowhere, takes those that are cut off: they reach one another and nobody else. Needs iproute2 and
 * the right to use it.
 */
final class Namespaces implements Hosts {
  /** Networks for documentation (RFC 5737): hardly anybody has all of them. */
  private static final List<String> NETWORKS = List.of("203.0.113.", "198.51.100.", "192.0.2.");

  /** Names of interfaces have at most 15 characters. */
  private final String prefix = "u" + Long.toString(ProcessHandle.current().pid(), 36);

  private final String main = prefix + "m";
  private final String island = prefix + "i";
  private final Map<String, Integer> numbers = new LinkedHashMap<>();

  private final String network;

  private Namespaces(String network) {
    this.network = network;
  }

  /**
   * Makes the two bridges.
   *
   * @throws IOException that says why, if the machine or the user cannot
   */
  static Namespaces create() throws IOException {
    Namespaces made = new Namespaces(freeNetwork());
    try {
      made.bridge(made.main);
      made.bridge(made.island);
      run("ip address add " + made.network + "1/24 dev " + made.main);
      made.address("probe");
      return made;
    } catch (IOException e) {
      made.close();
      throw e;
    }
  }

  /**
   * The two bridges, or none where the machine or the user cannot make them, with the reason
   * printed; that is an error where tests must not be left out.
   */
  static Optional<Namespaces> ifPossible() {
    try {
      return Optional.of(create());
    } catch (IOException e) {
      String reason = "partitions need network namespaces (iproute2, root): " + e.getMessage();
      if (Boolean.parseBoolean(System.getenv("UNISERVE_TEST_STRICT"))) {
        throw new AssertionError(reason, e);
      }
      System.out.println(reason);
      return Optional.empty();
    }
  }

  private static String freeNetwork() throws IOException {
    List<String> own =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .map(InetAddress::getHostAddress)
            .toList();
    return NETWORKS.stream()
        .filter(network -> own.stream().noneMatch(address -> address.startsWith(network)))
        .findFirst()
        .orElseThrow(() -> new IOException("this machine is in all of " + NETWORKS));
  }

  private void bridge(String name) throws IOException {
    run("ip link add " + name + " type bridge");
    run("ip link set " + name + " up");
  }

  @Override
  public String address(String process) throws IOException {
    Integer known = numbers.get(process);
    if (known != null) {
      return network + known;
    }
    int number = numbers.size() + 2;
    numbers.put(process, number);
    String inside = prefix + "p" + number;
    run("ip netns add " + namespace(process));
    run("ip link add " + outside(process) + " type veth peer name " + inside);
    run("ip link set " + inside + " netns " + namespace(process));
    String within = "ip -n " + namespace(process);
    run(within + " address add " + network + number + "/24 dev " + inside);
    run(within + " link set " + inside + " up");
    run(within + " link set lo up");
    run("ip link set " + outside(process) + " master " + main + " up");
    return network + number;
  }

  private String namespace(String process) {
    return prefix + "n" + numbers.get(process);
  }

  private String outside(String process) {
    return prefix + "v" + numbers.get(process);
  }

  @Override
  public List<String> commandPrefix(String process) {
    return numbers.containsKey(process)
        ? List.of("ip", "netns", "exec", namespace(process))
        : List.of();
  }

  /** From now on these reach one another, and nobody else. */
  void cutOff(List<String> processes) throws IOException {
    for (String process : processes) {
      run("ip link set " + outside(process) + " master " + island);
    }
  }

  /** Ends a partition. */
  void reconnect(List<String> processes) throws IOException {
    for (String process : processes) {
      run("ip link set " + outside(process) + " master " + main);
    }
  }

  @Override
  public void close() {
    List<String> commands = new ArrayList<>();
    numbers.keySet().forEach(process -> commands.add("ip link delete " + outside(process)));
    numbers.keySet().forEach(process -> commands.add("ip netns delete " + namespace(process)));
    commands.add("ip link delete " + main);
    commands.add("ip link delete " + island);
    for (String command : commands) {
      try {
        run(command);
      } catch (IOException e) {
        System.err.println(e.getMessage()); // what was never made cannot be deleted
      }
    }
  }

  private static void run(String command) throws IOException {
    Process process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.onExit().join().exitValue();
    if (code != 0) {
      throw new IOException("'" + command + "' ended with " + code + ": " + said.strip());
    }
  }
}
