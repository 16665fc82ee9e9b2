package io.uniserve.bench.controllog;

import io.uniserve.api.Engine;
import io.uniserve.node.cluster.NodeProcess;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.config.HostPort;
import io.uniserve.node.config.NodeConfig;
import io.uniserve.node.config.NodeConfig.ControllerPart;
import io.uniserve.node.config.NodeConfig.Role;
import io.uniserve.node.config.NodeSecurity;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.runtime.control.settings.PlacementSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The program of a process that is a controller. It prints READY and ends when its standard input
 * ends.
 */
public final class ControllerNode {
  private static final String HOST = "127.0.0.1";

  private ControllerNode() {}

  /**
   * @param arguments its port, all ports separated by commas, {@code disk} or {@code memory}, the
   *     failure timeout in milliseconds, and the directory for its files
   */
  public static void main(String[] arguments) throws IOException {
    serve(List.of(), arguments);
  }

  /**
   * Runs such a process until its input ends.
   *
   * @param engines the engines of the tables that may be created
   */
  public static void serve(List<Engine<?>> engines, String[] arguments) throws IOException {
    List<HostPort> controllers =
        Arrays.stream(arguments[1].split(",")).map(ControllerNode::at).toList();
    NodeConfig config =
        new NodeConfig(
            new TreeSet<>(List.of(Role.CONTROLLER)),
            controllers,
            Optional.of(Path.of(arguments[4])),
            Optional.of(
                new ControllerPart(
                    at(arguments[0]),
                    arguments[2].equals("disk"),
                    Duration.ofMillis(Long.parseLong(arguments[3])),
                    PlacementSettings.DEFAULT)),
            Optional.empty(),
            Optional.empty(),
            HttpSettings.BODY_BYTES_PER_SECOND_MIN,
            Optional.empty(),
            Optional.empty(),
            NodeSecurity.NONE);
    NodeProcess process = NodeProcess.start(config, new Plugins(engines, List.of(), List.of()));
    System.out.println("READY");
    int next = System.in.read();
    while (next >= 0) {
      next = System.in.read();
    }
    process.close();
  }

  private static HostPort at(String port) {
    return new HostPort(HOST, Integer.parseInt(port));
  }
}
