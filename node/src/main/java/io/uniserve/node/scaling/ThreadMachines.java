package io.uniserve.node.scaling;

import io.uniserve.runtime.control.scaling.Machines;
import io.uniserve.runtime.control.scaling.ServerNames;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The servers that are threads of this process, which end with it. Only this process starts or ends
 * them, so no former leader can.
 *
 * @param running returns the servers that run
 * @param start starts one
 * @param end ends one, once its clients have been told
 */
public record ThreadMachines(
    Supplier<SortedSet<String>> running, Consumer<String> start, Consumer<String> end)
    implements Machines {
  /** The names of an embedded cluster's servers. */
  public static final ServerNames NAMES = new ServerNames("s", 1);

  @Override
  public ServerNames names() {
    return NAMES;
  }

  @Override
  public boolean endsAny() {
    return true;
  }

  @Override
  public void make(long version, SortedSet<String> wanted) {
    SortedSet<String> now = running.get();
    now.stream().filter(NAMES::matches).filter(name -> !wanted.contains(name)).forEach(end);
    wanted.stream().filter(name -> !now.contains(name)).forEach(start);
  }

  @Override
  public void close() {
    // the owner of the threads ends them
  }
}
