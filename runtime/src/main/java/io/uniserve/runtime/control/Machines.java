package io.uniserve.runtime.control;

import io.uniserve.api.UniserveException;
import java.util.SortedSet;

/**
 * Where servers run, and how they are started and ended there: threads, processes, pods. What a
 * {@link ServerProvider} does, for threads that may wait.
 */
public interface Machines extends AutoCloseable {

  /** The names of the servers that it starts and ends. */
  ServerNames names();

  /** Whether it can end any server, or only the one with the highest number. */
  boolean endsAny();

  /**
   * Makes it so that exactly these servers run or are about to, of those with its names. Does
   * nothing if so it is. Called again and again by one thread, and by other processes, too, of
   * which one may still act for a former leader: a version below one that was seen already must
   * change nothing.
   *
   * @param version of cluster state in which this was wanted
   * @throws UniserveException if it cannot; called again after a while
   */
  void make(long version, SortedSet<String> running);

  /** Frees what it has open. The servers go on. */
  @Override
  void close();
}
