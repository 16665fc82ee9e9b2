package io.uniserve.runtime.control;

import java.util.Optional;
import java.util.SortedSet;

/**
 * Starts and ends servers (DPA §4.5): threads, processes, pods. Only the router that decides asks
 * it, each router its own, once every second or so with what is wanted as a whole: a provider
 * compares it with what there is. So whatever fails is tried again, whoever is asked twice does
 * nothing the second time, and another leader goes on where the last one ended.
 */
public interface ServerProvider {

  /** The names of the servers that it starts and ends. */
  ServerNames names();

  /** Whether it can end any server, or only the one with the highest number. */
  boolean endsAny();

  /**
   * Makes it so that exactly these servers run, of those with its names. Must neither wait nor
   * throw. A wish of a lower version than one that was heard of already is of a former leader, and
   * does not count.
   *
   * @param version of cluster state in which this was wanted
   * @param running all that should run; every other is empty, will never hold anything in its
   *     present life, and may be ended
   */
  void want(long version, SortedSet<String> running);

  /** What has kept it from doing so at the last attempt, for people. */
  Optional<String> problem();
}
