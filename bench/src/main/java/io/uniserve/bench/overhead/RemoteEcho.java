package io.uniserve.bench.overhead;

import io.uniserve.api.Plan;
import io.uniserve.bench.systems.ChildProcess;
import io.uniserve.bench.systems.EngineNode;
import io.uniserve.bench.systems.RemoteClient;
import io.uniserve.runtime.client.QueryOptions;
import java.nio.file.Path;
import java.util.List;

/** A table of one {@link EchoActor} in an {@link EchoNode}, asked by a client in this process. */
final class RemoteEcho implements AutoCloseable {

  private final ChildProcess node;
  private final RemoteClient remote;

  private RemoteEcho(ChildProcess node, RemoteClient remote) {
    this.node = node;
    this.remote = remote;
  }

  /**
   * @param directory the directory for the node's files and log
   */
  static RemoteEcho start(Path directory) {
    List<Integer> controllers = List.of(EngineNode.freePort());
    EngineNode.Place place =
        new EngineNode.Place(
            "s1", controllers, EngineNode.freePort(), directory.resolve("node"), true);
    ChildProcess node = EngineNode.start(EchoNode.class, "512m", place);
    try {
      RemoteClient remote =
          new RemoteClient(new EchoEngine(), controllers, directory.resolve("client"));
      EmbeddedEcho.createTable(remote.client());
      return new RemoteEcho(node, remote);
    } catch (RuntimeException e) {
      node.close();
      throw e;
    }
  }

  byte[] ask(Plan<byte[]> plan) {
    return remote.client().query(plan, QueryOptions.DEFAULT);
  }

  @Override
  public void close() {
    remote.close();
    node.close();
  }
}
