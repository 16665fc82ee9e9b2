package io.uniserve.runtime.control.scaling;

import io.uniserve.api.error.UniserveException;
import java.util.SortedSet;

/**
 * The machines on which servers run, as threads, processes or pods. It does the same as a {@link
 * ServerProvider}, for threads that may wait.
 */
public interface Machines extends AutoCloseable {

  /** Returns the names of the servers that it starts and ends. */
  ServerNames names();

  /** Returns whether it can end any server, or only the one with the highest number. */
  boolean endsAny();

  /**
   * Makes exactly these servers run, of those with its names. Does nothing if they already do. One
   * thread calls it repeatedly, and so do other processes, of which one may still act for a former
   * leader. So a version below one that was seen already must change nothing.
   *
   * @param version the version of cluster state in which this was wanted
   * @throws UniserveException if it cannot; called again after a while
   */
  void make(long version, SortedSet<String> running);

  /** Frees its resources. The servers go on. */
  @Override
  void close();
}
