package io.uniserve.bench.keyvalue;

import io.uniserve.bench.controllog.ControllerNode;
import java.io.IOException;
import java.util.List;

/** The program of a process that is a controller of tables of keys and values. */
public final class KeyValueController {

  private KeyValueController() {}

  /**
   * @param arguments those of {@link ControllerNode}
   */
  public static void main(String[] arguments) throws IOException {
    ControllerNode.serve(List.of(new KeyValueEngine()), arguments);
  }
}
