package io.uniserve.bench.hotspot;

import io.uniserve.api.Durability;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.base.BenchException;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.wire.LoadSettings;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Four servers with one worker thread each, and a table of slices with one copy each. Servers have
 * equally many slices of equal size at the start, which is the placement that balances bytes.
 */
final class HotspotCluster implements AutoCloseable {
  static final int SERVERS = 4;
  static final int SLICES = 32;
  private static final String TABLE = "slices";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final LoadSettings LOAD =
      new LoadSettings(Duration.ofMillis(250), Duration.ofSeconds(2));
  private static final Duration INTERVAL = Duration.ofSeconds(2);

  /** The time without a new decision after which the placement counts as stable. */
  private static final Duration REST = INTERVAL.multipliedBy(4);

  private static final Duration SETTLE_MAX = Duration.ofSeconds(60);

  private final EmbeddedCluster cluster;
  private final List<Plan<Long>> plans;
  private volatile long placedNanos = System.nanoTime();

  private HotspotCluster(EmbeddedCluster cluster, Duration service) {
    this.cluster = cluster;
    Partitioner partitioner = new Partitioner.Hash(SLICES);
    cluster
        .client()
        .createTable(
            new TableDefinition(TABLE, SliceEngine.NAME, partitioner, 1, Durability.NONE, Map.of()),
            TIMEOUT);
    cluster
        .client()
        .view()
        .onChange(
            (state, record) -> {
              if (record instanceof ControlRecord.ActorPlaced
                  || record instanceof ControlRecord.CopyRemoved) {
                placedNanos = System.nanoTime();
              }
            });
    plans =
        IntStream.range(0, SLICES).mapToObj(slice -> plan(partitioner, slice, service)).toList();
  }

  /**
   * @param balanced true if the coordinator balances load by the greedy policy
   */
  static HotspotCluster start(Path directory, boolean balanced, Duration service) {
    Optional<Duration> interval = balanced ? Optional.of(INTERVAL) : Optional.empty();
    return new HotspotCluster(
        EmbeddedCluster.start(
            new EmbeddedSettings(directory, SERVERS, List.of(new SliceEngine()), Optional.empty())
                .with(PlacementSettings.DEFAULT.with("greedy", interval), Map.of())
                .with(LOAD)
                .withWorkers(1)),
        service);
  }

  private static Plan<Long> plan(Partitioner partitioner, int slice, Duration service) {
    PartitionKey key =
        LongStream.range(0, 1_000_000)
            .mapToObj(PartitionKey::of)
            .filter(candidate -> partitioner.actorOf(candidate) == slice)
            .findFirst()
            .orElseThrow();
    return new Plan.Query<>(
        Source.table(TABLE, Keys.of(key)),
        new SliceEngine.Serve(service.toNanos() / 1_000),
        Operator.Combine.<SliceEngine.Served, Long>fold(0L, (count, value) -> count + 1));
  }

  /** Queries one slice. Fails if the answer is not that of exactly one slice. */
  void query(int slice) {
    long answers = cluster.client().query(plans.get(slice), QueryOptions.DEFAULT);
    if (answers != 1) {
      throw new BenchException("A query of one slice got " + answers + " answers");
    }
  }

  /** Waits, under load, until the placement is stable. */
  void awaitRest() {
    long began = System.nanoTime();
    while (System.nanoTime() - Math.max(began, placedNanos) < REST.toNanos()
        && System.nanoTime() - began < SETTLE_MAX.toNanos()) {
      try {
        TimeUnit.MILLISECONDS.sleep(100);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new BenchException("Interrupted while placement settled", e);
      }
    }
  }

  /** Returns the number of copies of a slice. */
  int copies(int slice) {
    List<ActorState> actors = cluster.client().state().requireTable(TABLE).actors();
    return actors.get(slice).copies().size();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
