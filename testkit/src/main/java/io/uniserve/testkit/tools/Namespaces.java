package io.uniserve.testkit.tools;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Network namespaces, one for each process, all connected to a bridge. Processes that are cut off
 * move to a second bridge, which is isolated: they reach one another and nobody else. Two separated
 * processes send to an Ethernet address that nobody has, so their packets are silently lost. This
 * requires iproute2 and the right to use it.
 */
public final class Namespaces implements Hosts {
  /** The number of networks of 254 addresses that are reserved for tests of networks (RFC 2544). */
  private static final int NETWORKS = 512;

  /**
   * The pattern of names, which begin with the id of their process. Names of interfaces have at
   * most 15 characters.
   */
  private static final Pattern OWNER = Pattern.compile("uni([0-9a-z]{1,7})-.+");

  /** An Ethernet address that no interface has. */
  private static final String NOBODY = "02:00:00:00:00:01";

  private final String prefix = prefix(ProcessHandle.current().pid());

  private final String main = prefix + "m";
  private final String island = prefix + "i";
  private final Map<String, Integer> numbers = new LinkedHashMap<>();

  private final String network;

  private Namespaces(String network) {
    this.network = network;
  }

  /**
   * Makes the two bridges, and removes those of killed processes.
   *
   * @throws IOException with the reason, if the machine or the user cannot make them
   */
  public static Namespaces create() throws IOException {
    removeLeftovers();
    Namespaces made = new Namespaces(freeNetwork());
    try {
      made.bridge(made.main);
      made.bridge(made.island);
      run("ip address add " + made.outside() + "/24 dev " + made.main);
      made.address("probe");
      return made;
    } catch (IOException e) {
      made.close();
      throw e;
    }
  }

  static String prefix(long process) {
    return "uni" + Long.toString(process, 36) + "-";
  }

  private static void removeLeftovers() throws IOException {
    for (String link : leftovers(Path.of("/sys/class/net"))) {
      tryTo("ip link delete " + link);
    }
    for (String namespace : leftovers(Path.of("/run/netns"))) {
      tryTo("ip netns delete " + namespace);
    }
  }

  private static List<String> leftovers(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(path -> path.getFileName().toString()).filter(Namespaces::hasNoOwner).toList();
    }
  }

  private static boolean hasNoOwner(String name) {
    Matcher owner = OWNER.matcher(name);
    return owner.matches() && ProcessHandle.of(Long.parseLong(owner.group(1), 36)).isEmpty();
  }

  /** Finds a free network. Processes that search at the same time begin at different networks. */
  private static String freeNetwork() throws IOException {
    List<String> own =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .map(InetAddress::getHostAddress)
            .toList();
    return IntStream.range(0, NETWORKS)
        .mapToObj(Namespaces::network)
        .filter(network -> own.stream().noneMatch(address -> address.startsWith(network)))
        .findFirst()
        .orElseThrow(() -> new IOException("this machine is in all networks of 198.18.0.0/15"));
  }

  /** Returns a network by its number in the order in which this process tries them, from 0. */
  static String network(int number) {
    int within = (int) ((ProcessHandle.current().pid() + number) % NETWORKS);
    return "198." + (18 + within / 256) + "." + within % 256 + ".";
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
    String inside = inside(process);
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

  @Override
  public String outside() {
    return network + 1;
  }

  private String namespace(String process) {
    return prefix + "n" + numbers.get(process);
  }

  private String inside(String process) {
    return prefix + "p" + numbers.get(process);
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

  /** Isolates processes: from now on they reach one another and nobody else. */
  public void cutOff(List<String> processes) throws IOException {
    for (String process : processes) {
      run("ip link set " + outside(process) + " master " + island);
    }
  }

  /** Ends a partition. */
  public void reconnect(List<String> processes) throws IOException {
    for (String process : processes) {
      run("ip link set " + outside(process) + " master " + main);
    }
  }

  /** Separates two processes from each other; both still reach all others. */
  public void part(String one, String other) throws IOException {
    run(neighbour(one, "replace", other) + " lladdr " + NOBODY + " nud permanent");
    run(neighbour(other, "replace", one) + " lladdr " + NOBODY + " nud permanent");
  }

  /** Lets two processes reach each other again. */
  public void join(String one, String other) throws IOException {
    run(neighbour(one, "delete", other));
    run(neighbour(other, "delete", one));
  }

  private String neighbour(String of, String change, String neighbour) {
    return "ip -n %s neighbour %s %s dev %s"
        .formatted(namespace(of), change, network + numbers.get(neighbour), inside(of));
  }

  @Override
  public void close() {
    List<String> commands = new ArrayList<>();
    numbers.keySet().forEach(process -> commands.add("ip link delete " + outside(process)));
    numbers.keySet().forEach(process -> commands.add("ip netns delete " + namespace(process)));
    commands.add("ip link delete " + main);
    commands.add("ip link delete " + island);
    commands.forEach(Namespaces::tryTo);
  }

  /** Runs a deletion whose object may be missing, because it was never made or is gone already. */
  private static void tryTo(String command) {
    try {
      run(command);
    } catch (IOException e) {
      System.err.println(e.getMessage());
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
