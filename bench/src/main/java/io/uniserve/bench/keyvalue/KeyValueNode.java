package io.uniserve.bench.keyvalue;

import io.uniserve.bench.systems.EngineNode;
import java.io.IOException;

/** The program of a process that is a server of keys and values. */
public final class KeyValueNode {

  private KeyValueNode() {}

  /**
   * @param arguments the arguments, as {@link EngineNode} gives them
   */
  public static void main(String[] arguments) throws IOException {
    EngineNode.serve(new KeyValueEngine(), arguments);
  }
}
