package io.uniserve.policy.transfer;

import java.util.List;

/**
 * A choice of senders.
 *
 * @param senders the sender of each copy, in the order of the problem's needs
 * @param lost the number of pairs of a further failure and a group after which no server of the
 *     group is left
 * @param busy the number of groups in which every living server sends or receives, so that no copy
 *     is idle that could answer reads
 * @param leftLeast the number of servers that are left of some group after the worst further
 *     failure
 */
public record TransferPlan(List<String> senders, int lost, int busy, int leftLeast) {
  /** Copies the list. */
  public TransferPlan {
    senders = List.copyOf(senders);
  }
}
