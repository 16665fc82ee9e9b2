package io.uniserve.node.http.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.ServerStatus.ActorStatus;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Position;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The copies of each table on each server, summed.
 *
 * @param sums the sums, by table and server
 */
public record CopyFigures(SortedMap<Key, Sum> sums) {

  /** A table's copies on one server. */
  record Key(String table, String server) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::table).thenComparing(Key::server);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }

    Labels labels() {
      return Labels.of("server", server, "table", table);
    }
  }

  /**
   * Figures of one or more copies.
   *
   * @param replicationLag updates that the copy furthest behind its primary lacks
   * @param backupLag updates that the durable store lacks, of the primary furthest ahead of it
   * @param backupLagSeconds the longest time for which it has lacked any of a primary
   * @param shortUpdates updates that primaries have taken past the order of their table
   */
  public record Sum(
      long copies,
      long primaries,
      long operators,
      long updates,
      double cost,
      long memoryBytes,
      long diskBytes,
      long replicationLag,
      long backupLag,
      double backupLagSeconds,
      long shortUpdates) {

    /** The sum of no copies. */
    static final Sum ZERO = new Sum(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    static Sum of(ActorStatus copy, Position primary) {
      boolean leads = copy.role().equals("primary");
      return new Sum(
          1,
          leads ? 1 : 0,
          copy.operators(),
          copy.updates(),
          copy.cost(),
          copy.usage().memoryBytes(),
          copy.usage().diskBytes(),
          Math.max(0, primary.sequence() - copy.position().sequence()),
          leads ? copy.backupLagEntries() : 0,
          leads ? copy.backupLag().toMillis() / 1e3 : 0,
          copy.shortUpdates());
    }

    Sum plus(Sum other) {
      return new Sum(
          copies + other.copies,
          primaries + other.primaries,
          operators + other.operators,
          updates + other.updates,
          cost + other.cost,
          memoryBytes + other.memoryBytes,
          diskBytes + other.diskBytes,
          Math.max(replicationLag, other.replicationLag),
          Math.max(backupLag, other.backupLag),
          Math.max(backupLagSeconds, other.backupLagSeconds),
          shortUpdates + other.shortUpdates);
    }
  }

  public static CopyFigures of(ClusterState state, List<ServerStatus> servers) {
    SortedMap<ActorId, Position> primaries = primaryPositions(servers);
    SortedMap<Key, Sum> sums = new TreeMap<>();
    for (ServerStatus server : servers) {
      for (ActorStatus copy : server.actors()) {
        TableState table = state.tables().get(copy.actor().table());
        if (table != null) {
          Position primary = primaries.getOrDefault(copy.actor(), copy.position());
          sums.merge(
              new Key(table.definition().name(), server.server()),
              Sum.of(copy, primary),
              Sum::plus);
        }
      }
    }
    return new CopyFigures(sums);
  }

  /** Returns the sum of all copies on one server. */
  public Sum on(String server) {
    return sums.entrySet().stream()
        .filter(entry -> entry.getKey().server().equals(server))
        .map(Map.Entry::getValue)
        .reduce(Sum.ZERO, Sum::plus);
  }

  private static SortedMap<ActorId, Position> primaryPositions(List<ServerStatus> servers) {
    SortedMap<ActorId, Position> positions = new TreeMap<>();
    for (ServerStatus server : servers) {
      for (ActorStatus copy : server.actors()) {
        if (copy.role().equals("primary")) {
          positions.merge(copy.actor(), copy.position(), (a, b) -> a.compareTo(b) > 0 ? a : b);
        }
      }
    }
    return positions;
  }
}
