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
      int place = place(server);
      mask |= place < 0 ? 0 : 1L << place;
    }
    return mask;
  }

  /** Returns the place of a server among those that are looked at, or -1. */
  private int place(String server) {
    return servers.indexOf(server);
  }

  /** Returns a graph of these transfers: the receivers of each sender, as sets of places. */
  long[] graph(List<Edge> edges) {
    long[] graph = new long[servers.size()];
    add(graph, edges);
    return graph;
  }

  /** Adds transfers to a graph. */
  void add(long[] graph, List<Edge> edges) {
    for (Edge edge : edges) {
      int sender = place(edge.sender());
      int receiver = place(edge.receiver());
      if (sender >= 0 && receiver >= 0) {
        graph[sender] |= 1L << receiver;
      }
    }
  }

  /**
   * Returns, by the number of servers that are left of a group, the number of pairs of a failure
   * and a group.
   */
  int[] left(long[] graph) {
    int[] left = new int[largest + 1];
    for (int first = 0; first < graph.length; first++) {
      if ((failed >>> first & 1) == 0) {
        long gone = flood(failed | 1L << first, graph);
        for (Group group : groups) {
          left[group.size() - Long.bitCount(gone & group.members())]++;
        }
      }
    }
    return left;
  }

  /** Returns all that fail if some fail. */
  private static long flood(long some, long[] graph) {
    long gone = some;
    long before = 0;
    while (gone != before) {
      before = gone;
      for (long rest = before; rest != 0; rest &= rest - 1) {
        gone |= graph[Long.numberOfTrailingZeros(rest)];
      }
    }
    return gone;
  }

  /** Returns the number of groups in which every living server sends or receives. */
  int busy(long[] graph) {
    long working = failed;
    for (int sender = 0; sender < graph.length; sender++) {
      working |= graph[sender] == 0 ? 0 : graph[sender] | 1L << sender;
    }
    int busy = 0;
    for (Group group : groups) {
      busy += Long.bitCount(working & group.members()) == group.size() ? 1 : 0;
    }
    return busy;
  }
}
