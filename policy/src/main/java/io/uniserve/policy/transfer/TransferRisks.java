package io.uniserve.policy.transfer;

import io.uniserve.policy.transfer.TransferProblem.Edge;
import io.uniserve.policy.transfer.TransferProblem.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The consequences of single failures, given the transfers. Only the first {@value #SERVERS_MAX}
 * servers that take part are looked at; the failure of another concerns itself alone.
 */
final class TransferRisks {
  private static final int SERVERS_MAX = 64;

  private final List<String> servers;
  private final long failed;
  private final List<Group> groups = new ArrayList<>();
  private final int largest;

  /** A group: its size, and those of its servers that take part or have failed. */
  private record Group(int size, long members) {}

  TransferRisks(TransferProblem problem) {
    TreeSet<String> involved = new TreeSet<>();
    for (Need need : problem.needs()) {
      involved.add(need.receiver());
      involved.addAll(need.senders());
    }
    for (Edge edge : problem.underWay()) {
      involved.add(edge.sender());
      involved.add(edge.receiver());
    }
    for (List<String> group : problem.groups()) {
      if (group.stream().anyMatch(involved::contains)) {
        group.stream().filter(problem.failed()::contains).forEach(involved::add);
      }
    }
    this.servers = involved.stream().limit(SERVERS_MAX).toList();
    this.failed = mask(problem.failed());
    int most = 0;
    for (List<String> group : problem.groups()) {
      long members = mask(group);
      if (members != 0) {
        groups.add(new Group(group.size(), members));
        most = Math.max(most, group.size());
      }
    }
    this.largest = most;
  }

  private long mask(Iterable<String> some) {
    long mask = 0;
    for (String server : some) {
      int place = servers.indexOf(server);
      mask |= place < 0 ? 0 : 1L << place;
    }
    return mask;
  }

  /**
   * Returns, by the number of servers that are left of a group, the number of pairs of a failure
   * and a group.
   */
  int[] left(List<Edge> edges) {
    long[] receivers = new long[servers.size()];
    for (Edge edge : edges) {
      int sender = servers.indexOf(edge.sender());
      if (sender >= 0) {
        receivers[sender] |= mask(List.of(edge.receiver()));
      }
    }
    int[] left = new int[largest + 1];
    for (int first = 0; first < servers.size(); first++) {
      if ((failed >>> first & 1) == 0) {
        long gone = flood(failed | 1L << first, receivers);
        for (Group group : groups) {
          left[group.size() - Long.bitCount(gone & group.members())]++;
        }
      }
    }
    return left;
  }

  /** Returns all that fail if some fail. */
  private static long flood(long some, long[] receivers) {
    long gone = some;
    long before = 0;
    while (gone != before) {
      before = gone;
      for (long rest = before; rest != 0; rest &= rest - 1) {
        gone |= receivers[Long.numberOfTrailingZeros(rest)];
      }
    }
    return gone;
  }

  /** Returns the number of groups in which every living server sends or receives. */
  int busy(List<Edge> edges) {
    long working = failed;
    for (Edge edge : edges) {
      working |= mask(List.of(edge.sender())) | mask(List.of(edge.receiver()));
    }
    int busy = 0;
    for (Group group : groups) {
      busy += Long.bitCount(working & group.members()) == group.size() ? 1 : 0;
    }
    return busy;
  }
}
