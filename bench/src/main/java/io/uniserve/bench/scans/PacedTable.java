package io.uniserve.bench.scans;

import io.uniserve.api.Durability;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.policy.scanning.GrantPolicy;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Ten servers with one slot each, and a table of a hundred partitions of one copy. A server reads
 * 250 KB of results a second, as the paper's do (inferred from its figures 5 and 6).
 */
final class PacedTable implements AutoCloseable {
  static final int SERVERS = 10;
  static final int PARTITIONS = 100;
  static final int RECORD_BYTES = 500;
  private static final double SERVER_BYTES_PER_SECOND = 250_000;
  private static final long RECORD_NANOS = (long) (RECORD_BYTES / SERVER_BYTES_PER_SECOND * 1e9);

  /** The bytes of a page: a server reads it in 20 ms. */
  private static final int PAGE_BYTES = 5_000;

  private static final int BUFFER_BYTES = 200 * PAGE_BYTES;

  /** The threads of a server: one of them reads for scans. */
  private static final int WORKERS = 2;

  private static final String TABLE = "partitions";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final EmbeddedCluster cluster;

  private PacedTable(EmbeddedCluster cluster) {
    this.cluster = cluster;
    cluster
        .client()
        .createTable(
            new TableDefinition(
                TABLE,
                PacedEngine.NAME,
                new Partitioner.Range(
                    LongStream.range(1, PARTITIONS).mapToObj(PartitionKey::of).toList()),
                1,
                Durability.NONE,
                Map.of()),
            TIMEOUT);
  }

  static PacedTable start(Path directory, GrantPolicy grants) {
    return new PacedTable(
        EmbeddedCluster.start(
            new EmbeddedSettings(directory, SERVERS, List.of(new PacedEngine()), Optional.empty())
                .withWorkers(WORKERS)
                .withGrants(grants)));
  }

  /** Returns the options of a scan with a fixed K, or one that is found. */
  static ScanOptions options(Optional<Integer> slots, double priority) {
    ScanOptions options =
        ScanOptions.DEFAULT.withSizes(PAGE_BYTES, BUFFER_BYTES).withPriority(priority);
    return slots.map(options::withSlots).orElse(options);
  }

  /**
   * Scans neighbouring partitions.
   *
   * @param partitionSeconds the time that a server needs for one
   */
  Scan scan(int first, int count, double partitionSeconds, ScanOptions options) {
    int records = records(partitionSeconds);
    return scan(first, count, new ReadPaced(records, RECORD_BYTES, RECORD_NANOS), options);
  }

  /**
   * Scans neighbouring partitions, each slot of which is held until the client has consumed a whole
   * partition.
   */
  Scan scanHolding(int first, int count, double partitionSeconds, int slots, SharedRate client) {
    int records = records(partitionSeconds);
    int partitionBytes = records * RECORD_BYTES;
    return scan(
        first,
        count,
        new ReadHeld(records, RECORD_BYTES, RECORD_NANOS, client.number()),
        ScanOptions.DEFAULT
            .withSizes(partitionBytes, 4L * SERVERS * partitionBytes)
            .withSlots(slots));
  }

  private Scan scan(int first, int count, Operator.Scan<?> operator, ScanOptions options) {
    ScanPlan plan =
        new ScanPlan(
            TABLE,
            operator,
            new Keys.Range(
                Optional.of(PartitionKey.of((long) first)),
                Optional.of(PartitionKey.of((long) first + count))),
            false,
            List.of(),
            (block, into) -> {});
    return cluster.client().queries().scan(plan, options);
  }

  /** Returns the records of a partition that a server reads in some time. */
  static int records(double partitionSeconds) {
    return (int) Math.round(partitionSeconds * 1e9 / RECORD_NANOS);
  }

  /** Reads one record of a partition. */
  void readPoint(int partition, Duration service) {
    cluster
        .client()
        .query(
            new Plan.Query<>(
                Source.table(TABLE, Keys.of(PartitionKey.of((long) partition))),
                new ReadPoint(service.toNanos()),
                Operator.Combine.<ReadPoint.Done, Long>fold(0L, (sum, done) -> sum + 1)),
            QueryOptions.DEFAULT);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
