package io.uniserve.node.config;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.runtime.control.raft.RaftSettings;
import io.uniserve.runtime.control.settings.MergeSettings;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.control.settings.SplitSettings;
import io.uniserve.runtime.server.base.ScrubSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The configuration of one process of a cluster. Its file:
 *
 * <pre>
 * roles = controller, server, gateway     # one or more
 * controller = host:port, host:port       # where the controllers listen; every role needs it
 * controller.listen = host:port           # of a controller; needed if there are several
 * controller.log = disk                   # of a controller; or memory
 * controller.timeout-millis = 500         # of a controller; silence after which another leads
 * placement.policy = greedy           # of a controller; the policy that balances load
 * placement.interval-seconds = 60     # of a controller; how often; only on request if not set
 * placement.split-mebibytes = 16384   # of a controller; an actor that occupies more is split
 * placement.merge-percent = 25        # of a controller; two actors below this share of the bounds merge
 * placement.merge-after-minutes = 60  # of a controller; after this time below them
 * placement.split-threads = 4         # of a controller; so is one that takes more threads; off if not set
 * scale.provider = process            # of a controller; starts and ends servers; or kubernetes
 * scale.template = server.conf        # of process: a server's file, with {name}, {number}, {port}
 * scale.directory = /var/lib/servers  # of process: their files, logs and process numbers
 * scale.ports = 7101-7164             # of process: one for each server
 * scale.statefulset = uniserve-server # of kubernetes: its pods are the servers
 * scale.namespace = search            # of kubernetes; default: that of the controller's pod
 * directory = /var/lib/uniserve       # of the roles controller and server
 * server.name = s1                    # of the role server; the same over restarts
 * server.listen = host:port           # of the role server; reachable by all others
 * server.workers = 8                  # threads that compute; default: as many as processors
 * server.scan-slots = 4               # pages of scans that are read at a time; default: half of these
 * server.scrub-mebibytes-per-second = 10 # that are read to find damage; 0 for not at all
 * server.scrub-pause-minutes = 10     # after everything was read
 * gateway.listen = host:port          # HTTP, of the role gateway; port 0 for any free one
 * gateway.body-bytes-per-second = 4096 # of HTTP; a body that arrives more slowly is refused
 * gateway.flight = host:port          # Flight SQL, of the role gateway; left out: not served
 * store = file:/srv/uniserve          # or s3://bucket/prefix; of the role server, the same for all
 * </pre>
 *
 * <p>It also has the keys of {@link NodeSecurity}.
 *
 * @param roles the roles, at least one
 * @param controllers the addresses of the controllers
 * @param directory the directory of this process's data
 * @param controller the controller's settings, if it plays that role
 * @param server the server's settings, if it plays that role
 * @param gateway the address of HTTP, if it plays that role
 * @param bodyBytesPerSecondMin the least rate at which bodies of HTTP have to arrive
 * @param flight the address of Flight SQL, if a gateway is to serve it
 * @param store the durable store's location
 * @param security the security of the process
 */
public record NodeConfig(
    SortedSet<Role> roles,
    List<HostPort> controllers,
    Optional<Path> directory,
    Optional<ControllerPart> controller,
    Optional<ServerPart> server,
    Optional<HostPort> gateway,
    int bodyBytesPerSecondMin,
    Optional<HostPort> flight,
    Optional<String> store,
    NodeSecurity security) {

  private static final String SCAN_SLOTS = "server.scan-slots";
  private static final String SCRUB_RATE = "server.scrub-mebibytes-per-second";
  private static final String SCRUB_PAUSE = "server.scrub-pause-minutes";

  private static final List<String> OWN_KEYS =
      List.of(
          "roles",
          "controller",
          "controller.listen",
          "controller.log",
          "controller.timeout-millis",
          "placement.policy",
          "placement.interval-seconds",
          "placement.split-mebibytes",
          "placement.split-threads",
          "placement.merge-percent",
          "placement.merge-after-minutes",
          "scale.provider",
          "scale.template",
          "scale.directory",
          "scale.ports",
          "scale.statefulset",
          "scale.namespace",
          "directory",
          "server.name",
          "server.listen",
          "server.workers",
          SCAN_SLOTS,
          SCRUB_RATE,
          SCRUB_PAUSE,
          "gateway.listen",
          "gateway.body-bytes-per-second",
          "gateway.flight",
          "store");

  private static final List<String> KEYS =
      Stream.concat(OWN_KEYS.stream(), NodeSecurity.KEYS.stream()).toList();

  private static final String SCALE = "scale.";

  private static final int WORKERS_MAX = 1024;

  /** The roles of a process. */
  public enum Role {
    /** Keeps the control log and coordinates. */
    CONTROLLER,
    /** Holds actors. */
    SERVER,
    /** Answers HTTP. */
    GATEWAY
  }

  /**
   * The settings of the role controller.
   *
   * @param listen the address where it listens
   * @param durable true if the control log is on disk
   * @param failureTimeout silence of the leader after which another is elected
   * @param placement the settings of load balancing
   * @param scale the values of {@code scale.KEY}, by KEY; with {@code provider}, or empty
   */
  public record ControllerPart(
      HostPort listen,
      boolean durable,
      Duration failureTimeout,
      PlacementSettings placement,
      SortedMap<String, String> scale) {
    /** Creates a controller of a cluster that keeps its size. */
    public ControllerPart(
        HostPort listen, boolean durable, Duration failureTimeout, PlacementSettings placement) {
      this(listen, durable, failureTimeout, placement, Collections.emptySortedMap());
    }

    /** Returns a controller with default settings. */
    public static ControllerPart of(HostPort listen) {
      return new ControllerPart(
          listen,
          RaftSettings.DEFAULT.durable(),
          RaftSettings.DEFAULT.failureTimeout(),
          PlacementSettings.DEFAULT);
    }
  }

  /**
   * The settings of the role server.
   *
   * @param name the same over restarts
   * @param listen the address where it listens
   * @param workers the number of threads that compute
   * @param scanSlots L_s, the number of pages of scans that are read at a time
   * @param scrub the search for damaged files
   */
  public record ServerPart(
      String name,
      HostPort listen,
      Optional<Integer> workers,
      Optional<Integer> scanSlots,
      ScrubSettings scrub) {}

  /**
   * Reads a configuration file.
   *
   * @throws UniserveException naming the file, line and key of an error
   */
  public static NodeConfig read(Path path) {
    ConfigFile file = ConfigFile.read(path, KEYS);
    SortedSet<Role> roles = roles(file);
    file.warnOfFormerNames();
    boolean keepsData = roles.contains(Role.CONTROLLER) || roles.contains(Role.SERVER);
    List<HostPort> controllers = controllers(file);
    return new NodeConfig(
        roles,
        controllers,
        keepsData
            ? Optional.of(
                Path.of(file.require("directory", "controllers and servers keep data there")))
            : file.get("directory").map(Path::of),
        roles.contains(Role.CONTROLLER)
            ? Optional.of(controller(file, controllers))
            : Optional.empty(),
        roles.contains(Role.SERVER) ? Optional.of(server(file)) : Optional.empty(),
        roles.contains(Role.GATEWAY)
            ? Optional.of(required(file, "gateway.listen", "a gateway serves HTTP there"))
            : Optional.empty(),
        bodyBytesPerSecondMin(file, roles),
        flight(file, roles),
        roles.contains(Role.SERVER)
            ? Optional.of(file.require("store", "servers back up their actors there"))
            : file.get("store"),
        NodeSecurity.read(file));
  }

  /** Returns the same configuration, with an accepted lack of security. */
  public NodeConfig insecure() {
    return new NodeConfig(
        roles,
        controllers,
        directory,
        controller,
        server,
        gateway,
        bodyBytesPerSecondMin,
        flight,
        store,
        security.accepted());
  }

  /**
   * Returns what is missing for others to reach this process safely, for people; empty if nothing
   * is.
   *
   * @throws UniserveException if anything is missing that was not accepted
   */
  public List<String> exposures() {
    return security.exposures(this);
  }

  private static int bodyBytesPerSecondMin(ConfigFile file, SortedSet<Role> roles) {
    String key = "gateway.body-bytes-per-second";
    Optional<String> given = file.get(key);
    if (given.isPresent() && !roles.contains(Role.GATEWAY)) {
      throw file.invalid(key, "is of the role gateway, which this process lacks");
    }
    return given
        .map(value -> Math.toIntExact(positive(file, key, value)))
        .orElse(HttpSettings.BODY_BYTES_PER_SECOND_MIN);
  }

  private static Optional<HostPort> flight(ConfigFile file, SortedSet<Role> roles) {
    Optional<String> listen = file.get("gateway.flight");
    if (listen.isPresent() && !roles.contains(Role.GATEWAY)) {
      throw file.invalid("gateway.flight", "is of the role gateway, which this process lacks");
    }
    return listen.map(value -> address(file, "gateway.flight", value));
  }

  private static SortedSet<Role> roles(ConfigFile file) {
    SortedSet<Role> roles = new TreeSet<>();
    for (String name :
        file.require("roles", "one or more of controller, server, gateway").split(",")) {
      String wanted =
          file.role("roles", name.strip().toLowerCase(Locale.ROOT)).toUpperCase(Locale.ROOT);
      roles.add(
          Arrays.stream(Role.values())
              .filter(role -> role.name().equals(wanted))
              .findFirst()
              .orElseThrow(
                  () ->
                      file.invalid(
                          "roles",
                          "are controller, server and gateway, not '" + name.strip() + "'")));
    }
    return roles;
  }

  private static List<HostPort> controllers(ConfigFile file) {
    String value =
        file.require("controller", "every process must know where the controllers listen");
    return Arrays.stream(value.split(","))
        .map(one -> address(file, "controller", one.strip()))
        .distinct()
        .toList();
  }

  private static ControllerPart controller(ConfigFile file, List<HostPort> controllers) {
    if (controllers.size() > 1) {
      file.require("controller.listen", "one of several controllers must know which it is");
    }
    HostPort listen =
        file.get("controller.listen")
            .map(value -> address(file, "controller.listen", value))
            .orElse(controllers.getFirst());
    ControllerPart usual = ControllerPart.of(listen);
    return new ControllerPart(
        listen,
        file.get("controller.log").map(value -> durable(file, value)).orElse(usual.durable()),
        file.get("controller.timeout-millis")
            .map(value -> timeout(file, value))
            .orElse(usual.failureTimeout()),
        usual
            .placement()
            .with(
                file.get("placement.policy").orElse(usual.placement().policy()),
                file.get("placement.interval-seconds").map(value -> interval(file, value)))
            .with(splits(file, usual.placement().splits()))
            .with(merges(file, usual.placement().merges())),
        scale(file));
  }

  private static SplitSettings splits(ConfigFile file, SplitSettings usual) {
    return new SplitSettings(
        file.get("placement.split-mebibytes")
            .map(value -> positive(file, "placement.split-mebibytes", value) << 20)
            .orElse(usual.bytesMax()),
        file.get("placement.split-threads")
            .map(value -> (double) positive(file, "placement.split-threads", value))
            .orElse(usual.loadMax()));
  }

  private static MergeSettings merges(ConfigFile file, MergeSettings usual) {
    return new MergeSettings(
        file.get("placement.merge-percent")
            .map(value -> whole(file, "placement.merge-percent", value) / 100.0)
            .orElse(usual.share()),
        file.get("placement.merge-after-minutes")
            .map(value -> Duration.ofMinutes(whole(file, "placement.merge-after-minutes", value)))
            .orElse(usual.after()));
  }

  private static long whole(ConfigFile file, String key, String value) {
    return value.equals("0") ? 0 : atLeast(0, file, key, value);
  }

  private static long positive(ConfigFile file, String key, String value) {
    return atLeast(1, file, key, value);
  }

  private static long atLeast(int least, ConfigFile file, String key, String value) {
    if (!value.matches("[1-9][0-9]{0,8}")) {
      throw file.invalid(key, "must be " + least + " to 999999999, not '" + value + "'");
    }
    return Long.parseLong(value);
  }

  private static SortedMap<String, String> scale(ConfigFile file) {
    SortedMap<String, String> given = new TreeMap<>();
    for (String key : OWN_KEYS) {
      if (key.startsWith(SCALE)) {
        file.get(key).ifPresent(value -> given.put(key.substring(SCALE.length()), value));
      }
    }
    if (!given.isEmpty()) {
      file.require(SCALE + "provider", "process or kubernetes starts and ends servers");
    }
    return given;
  }

  private static boolean durable(ConfigFile file, String value) {
    if (!value.equals("disk") && !value.equals("memory")) {
      throw file.invalid("controller.log", "must be disk or memory, not '" + value + "'");
    }
    return value.equals("disk");
  }

  private static Duration timeout(ConfigFile file, String value) {
    if (!value.matches("[1-9][0-9]{1,4}")) {
      throw file.invalid("controller.timeout-millis", "must be 20 to 99999, not '" + value + "'");
    }
    return Duration.ofMillis(Integer.parseInt(value));
  }

  private static Duration interval(ConfigFile file, String value) {
    if (!value.matches("[1-9][0-9]{0,4}")) {
      throw file.invalid("placement.interval-seconds", "must be 1 to 99999, not '" + value + "'");
    }
    return Duration.ofSeconds(Integer.parseInt(value));
  }

  private static ServerPart server(ConfigFile file) {
    return new ServerPart(
        file.require("server.name", "a server is known by its name"),
        required(file, "server.listen", "others reach the server there"),
        file.get("server.workers").map(value -> threads(file, "server.workers", value)),
        file.get(SCAN_SLOTS).map(value -> threads(file, SCAN_SLOTS, value)),
        scrub(file));
  }

  private static ScrubSettings scrub(ConfigFile file) {
    ScrubSettings usual = ScrubSettings.DEFAULT;
    return new ScrubSettings(
        file.get(SCRUB_RATE)
            .map(value -> whole(file, SCRUB_RATE, value) << 20)
            .orElse(usual.bytesPerSecond()),
        file.get(SCRUB_PAUSE)
            .map(value -> Duration.ofMinutes(positive(file, SCRUB_PAUSE, value)))
            .orElse(usual.pause()));
  }

  private static int threads(ConfigFile file, String name, String value) {
    if (!value.matches("[1-9][0-9]{0,3}") || Integer.parseInt(value) > WORKERS_MAX) {
      throw file.invalid(name, "must be 1 to " + WORKERS_MAX + ", not '" + value + "'");
    }
    return Integer.parseInt(value);
  }

  private static HostPort required(ConfigFile file, String key, String reason) {
    return address(file, key, file.require(key, reason));
  }

  private static HostPort address(ConfigFile file, String key, String value) {
    return HostPort.parse(value)
        .orElseThrow(() -> file.invalid(key, "must be host:port, not '" + value + "'"));
  }
}
