package io.uniserve.runtime.control.scaling;

import java.util.Optional;
import java.util.SortedSet;

/**
 * A provider of servers (DPA §4.5), which starts and ends them as threads, processes or pods. Only
 * the controller that decides calls its own provider, about every second, with all servers that are
 * wanted. The provider compares that with the servers that exist. So a failed step is tried again,
 * a repeated call does nothing, and another leader continues where the last one ended.
 */
public interface ServerProvider {

  /** Returns the names of the servers that it starts and ends. */
  ServerNames names();

  /** Returns whether it can end any server, or only the one with the highest number. */
  boolean endsAny();

  /**
   * Makes exactly these servers run, of those with its names. Must neither wait nor throw. A
   * version below one that was seen already is a former leader's, and is ignored.
   *
   * @param version the version of cluster state in which this was wanted
   * @param running all that should run; every other server is empty, will hold nothing again in its
   *     present life, and may be ended
   */
  void want(long version, SortedSet<String> running);

  /** Returns the problem of the last attempt, for people; empty if there was none. */
  Optional<String> problem();
}
