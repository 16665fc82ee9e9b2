package io.uniserve.policy.transfer;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Copies that are to be made, and the servers that can send them.
 *
 * @param needs the copies to be made
 * @param underWay the transfers that are under way already, and stay
 * @param groups the servers of each range of keys once all copies are made. For a ring of servers
 *     these are all sets of as many successive servers as there are copies
 * @param failed the servers that have failed already. They send nothing
 */
public record TransferProblem(
    List<Need> needs, List<Edge> underWay, List<List<String>> groups, Set<String> failed) {
  /** Copies the collections. */
  public TransferProblem {
    needs = List.copyOf(needs);
    underWay = List.copyOf(underWay);
    groups = groups.stream().map(List::copyOf).toList();
    failed = Collections.unmodifiableSet(new TreeSet<>(failed));
  }

  /**
   * A copy that is to be made.
   *
   * @param receiver the server that gets it
   * @param senders the servers that have such a copy, the preferred ones first; at least one
   */
  public record Need(String receiver, List<String> senders) {
    /** Copies the list. */
    public Need {
      senders = List.copyOf(senders);
      if (senders.isEmpty()) {
        throw new IllegalArgumentException("nobody can send a copy to " + receiver);
      }
    }
  }

  /**
   * A transfer between two servers.
   *
   * @param sender the server that sends
   * @param receiver the server that receives
   */
  public record Edge(String sender, String receiver) {}
}
