package io.uniserve.runtime.control.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.control.copies.CopyCalls;
import io.uniserve.runtime.wire.ReplicationMessage.Fence;
import io.uniserve.runtime.wire.ReplicationMessage.Fenced;
import io.uniserve.runtime.wire.ReplicationMessage.Fork;
import io.uniserve.runtime.wire.ReplicationMessage.Stop;
import io.uniserve.runtime.wire.ReplicationMessage.Stopped;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.Reshaping;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * One attempt to split one actor, on a thread of its own. The primary stops accepting updates once
 * it knows the outcome of its prepared transaction. Each copy makes one of the new actor beside it.
 * Then the primary promises to accept nothing but of the next epoch. After that only the record is
 * left. Reads go on throughout.
 */
final class SplitAttempt implements ReshapeAttempt {
  private final Environment environment;
  private final ClusterState state;
  private final ActorId id;
  private final List<String> servers;
  private final CopyCalls calls;
  private final Runnable whenStill;

  /**
   * @param state the cluster state, of a version that no other attempt has
   * @param servers that have a readable copy, the primary among them
   * @param patience the longest time that an answer may take
   * @param whenStill called once the primary has stopped accepting updates
   */
  SplitAttempt(
      Environment environment,
      ClusterState state,
      ActorId id,
      List<String> servers,
      Duration patience,
      Runnable whenStill) {
    this.environment = environment;
    this.state = state;
    this.id = id;
    this.servers = List.copyOf(servers);
    this.calls = new CopyCalls(environment, state, patience);
    this.whenStill = whenStill;
  }

  @Override
  public List<ActorId> actors() {
    return List.of(id);
  }

  private ActorState planned() {
    return planned(id);
  }

  @Override
  public ActorState planned(ActorId actor) {
    return state.actor(actor).orElseThrow();
  }

  @Override
  public Partitioner partitioner() {
    return state.tables().get(id.table()).definition().partitioner();
  }

  @Override
  public List<String> servers() {
    return servers;
  }

  @Override
  public long firstEpoch() {
    return state.version() + 1;
  }

  @Override
  public PartitionChange.Cut run() {
    CopyState primary = planned().copyOn(planned().primary()).orElseThrow();
    long epoch = planned().epoch();
    Stopped stopped = calls.ask(primary.server(), new Stop(id, primary.id(), epoch), Stopped.class);
    whenStill.run();
    Partitioner.Refined refined =
        partitioner()
            .cut(
                id.number(),
                where(stopped.middle()),
                time(environment, state.tables().get(id.table()), stopped.timeMillis()));
    PartitionChange.Cut cut = (PartitionChange.Cut) refined.changes().getLast();
    TreeMap<String, Fork> forks = new TreeMap<>();
    for (String server : servers) {
      CopyState copy = planned().copyOn(server).orElseThrow();
      forks.put(
          server,
          new Fork(id, copy.id(), epoch, stopped.at(), refined, cut.into(), state.version()));
    }
    calls.untilMade(forks);
    Fence fence = new Fence(id, primary.id(), epoch, stopped.at(), next(id));
    if (!calls.ask(primary.server(), fence, Fenced.class).done()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, "server " + primary.server() + " did not stay stopped");
    }
    return cut;
  }

  /**
   * Returns the time of a change, in milliseconds since 1970. Whatever the clocks say, it is not
   * before anything earlier.
   *
   * @param lastUpdateMillis the time of the last update of the actors that it concerns
   */
  static long time(Environment environment, TableState table, long lastUpdateMillis) {
    long now = environment.clock().now().toEpochMilli();
    List<PartitionChange> history = table.definition().partitioner().history();
    long changedMillis = history.isEmpty() ? 0 : history.getLast().timeMillis();
    long decidedMillis = table.committed().timeMillis();
    return LongStream.of(now, changedMillis, decidedMillis, lastUpdateMillis).max().getAsLong();
  }

  private PartitionChange.Where where(Optional<PartitionKey> middle) {
    if (partitioner().base() instanceof Partitioner.Hash) {
      return new PartitionChange.Where.Bit(partitioner().nextBit(id.number()));
    }
    PartitionKey at =
        planned()
            .reshaping()
            .map(Reshaping.Splitting.class::cast)
            .flatMap(Reshaping.Splitting::at)
            .or(() -> middle)
            .filter(key -> partitioner().canBeCut(id.number(), key))
            .orElseThrow(
                () ->
                    new UniserveException(
                        ErrorCode.UNSUPPORTED, "it has no two keys to be split between"));
    return new PartitionChange.Where.From(at);
  }
}
