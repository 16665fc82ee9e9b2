package io.uniserve.bench.overhead;

import io.uniserve.node.cluster.NodeProcess;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.config.HostPort;
import io.uniserve.node.config.NodeConfig;
import io.uniserve.node.config.NodeConfig.Role;
import io.uniserve.node.config.NodeConfig.RouterPart;
import io.uniserve.node.config.NodeConfig.ServerPart;
import io.uniserve.node.config.NodeSecurity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The program of a process that is router and server of a cluster of {@link EchoActor}s. Prints
 * {@code READY}; ends when its input ends.
 */
public final class EchoNode {

  private static final String HOST = "127.0.0.1";

  private EchoNode() {}

  /**
   * @param arguments the router's port, the server's port, and the directory for its files
   */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[2]);
    NodeConfig config =
        new NodeConfig(
            new TreeSet<>(List.of(Role.ROUTER, Role.SERVER)),
            List.of(new HostPort(HOST, Integer.parseInt(arguments[0]))),
            Optional.of(directory),
            Optional.of(RouterPart.of(new HostPort(HOST, Integer.parseInt(arguments[0])))),
            Optional.of(
                new ServerPart(
                    "s1", new HostPort(HOST, Integer.parseInt(arguments[1])), Optional.empty())),
            Optional.empty(),
            Optional.empty(),
            Optional.of(directory.resolve("store").toUri().toString()),
            NodeSecurity.NONE);
    Plugins echo = new Plugins(List.of(new EchoEngine()), List.of(), List.of());
    NodeProcess process = NodeProcess.start(config, echo);
    System.out.println("READY");
    int next = System.in.read();
    while (next >= 0) {
      next = System.in.read();
    }
    process.close();
  }
}
