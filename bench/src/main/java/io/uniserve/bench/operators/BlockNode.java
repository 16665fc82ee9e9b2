package io.uniserve.bench.operators;

import io.uniserve.bench.systems.EngineNode;
import java.io.IOException;

/** The program of a process of a cluster of {@link BlockActor}s. */
public final class BlockNode {
  private BlockNode() {}

  /**
   * @param arguments the arguments, as {@link EngineNode} gives them
   */
  public static void main(String[] arguments) throws IOException {
    EngineNode.serve(new BlockEngine(), arguments);
  }
}
