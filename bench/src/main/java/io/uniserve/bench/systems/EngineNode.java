package io.uniserve.bench.systems;

import io.uniserve.api.Engine;
import io.uniserve.bench.base.BenchException;
import io.uniserve.node.cluster.NodeProcess;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.config.HostPort;
import io.uniserve.node.config.NodeConfig;
import io.uniserve.node.config.NodeConfig.ControllerPart;
import io.uniserve.node.config.NodeConfig.Role;
import io.uniserve.node.config.NodeConfig.ServerPart;
import io.uniserve.node.config.NodeSecurity;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.runtime.server.base.ScrubSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A process of a cluster with one engine, which need not be in the distribution. It is a server,
 * and may be the only controller as well. It prints {@link #READY} and ends when its input ends.
 */
public final class EngineNode {
  /** The line that the process prints when it serves. */
  public static final String READY = "READY";

  private static final String HOST = "127.0.0.1";

  private EngineNode() {}

  /**
   * The place of a process.
   *
   * @param name the name of its server
   * @param controllers the ports of the controllers
   * @param port the server's port
   * @param directory the directory for its files
   * @param isController true if it is the only controller as well
   */
  public record Place(
      String name, List<Integer> controllers, int port, Path directory, boolean isController) {
    static Place of(String[] arguments) {
      return new Place(
          arguments[0],
          Arrays.stream(arguments[1].split(",")).map(Integer::valueOf).toList(),
          Integer.parseInt(arguments[2]),
          Path.of(arguments[3]),
          Boolean.parseBoolean(arguments[4]));
    }

    private List<String> arguments() {
      return List.of(
          name,
          controllers.stream().map(String::valueOf).collect(Collectors.joining(",")),
          Integer.toString(port),
          directory.toString(),
          Boolean.toString(isController));
    }
  }

  /**
   * Starts the process of a main class that calls {@link #serve}, and waits until it serves.
   *
   * @param heap the largest heap, such as {@code 512m}
   */
  public static ChildProcess start(Class<?> main, String heap, Place place) {
    List<String> command = JavaCommand.of(main, heap);
    command.addAll(place.arguments());
    Path log = place.directory().resolveSibling(place.directory().getFileName() + ".log");
    ChildProcess process = ChildProcess.start(place.name(), command, log);
    try {
      process.awaitLine(READY);
      return process;
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
  }

  /** Runs such a process until its input ends. */
  public static void serve(Engine<?> engine, String[] arguments) throws IOException {
    Place place = Place.of(arguments);
    Set<Role> roles =
        place.isController() ? EnumSet.of(Role.CONTROLLER, Role.SERVER) : EnumSet.of(Role.SERVER);
    List<HostPort> controllers =
        place.controllers().stream().map(port -> new HostPort(HOST, port)).toList();
    NodeConfig config =
        new NodeConfig(
            new TreeSet<>(roles),
            controllers,
            Optional.of(place.directory()),
            place.isController()
                ? Optional.of(ControllerPart.of(controllers.getFirst()))
                : Optional.empty(),
            Optional.of(
                new ServerPart(
                    place.name(),
                    new HostPort(HOST, place.port()),
                    Optional.empty(),
                    Optional.empty(),
                    ScrubSettings.DEFAULT)),
            Optional.empty(),
            HttpSettings.BODY_BYTES_PER_SECOND_MIN,
            Optional.empty(),
            Optional.of(place.directory().resolveSibling("store").toUri().toString()),
            NodeSecurity.NONE);
    NodeProcess process =
        NodeProcess.start(config, new Plugins(List.of(engine), List.of(), List.of()));
    System.out.println(READY);
    int next = System.in.read();
    while (next >= 0) {
      next = System.in.read();
    }
    process.close();
  }

  /** Returns a port at which nobody listens. */
  public static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new BenchException("There is no free port", e);
    }
  }
}
