package io.uniserve.bench.overhead;

import io.uniserve.bench.systems.EngineNode;
import java.io.IOException;

/** The program of a process that is controller and server of a cluster of {@link EchoActor}s. */
public final class EchoNode {

  private EchoNode() {}

  /**
   * @param arguments the arguments, as {@link EngineNode} gives them
   */
  public static void main(String[] arguments) throws IOException {
    EngineNode.serve(new EchoEngine(), arguments);
  }
}
