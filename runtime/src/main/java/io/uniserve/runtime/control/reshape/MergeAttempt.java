package io.uniserve.runtime.control.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Promise;
import io.uniserve.runtime.control.copies.CopyCalls;
import io.uniserve.runtime.wire.ReplicationMessage.Fence;
import io.uniserve.runtime.wire.ReplicationMessage.Fenced;
import io.uniserve.runtime.wire.ReplicationMessage.Half;
import io.uniserve.runtime.wire.ReplicationMessage.Stop;
import io.uniserve.runtime.wire.ReplicationMessage.Stopped;
import io.uniserve.runtime.wire.ReplicationMessage.Unite;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * One attempt to merge two actors, on a thread of its own. Their primaries take no more updates
 * once they know the outcome of their prepared transactions. Each server that has a copy of both
 * makes one of the new actor beside them. Then both primaries promise to accept nothing but of the
 * next epoch. After that only the record is left. Reads go on throughout.
 */
final class MergeAttempt implements ReshapeAttempt {
  private final Environment environment;
  private final ClusterState state;
  private final List<ActorId> two;
  private final List<String> servers;
  private final Duration patience;
  private final CopyCalls calls;
  private final Runnable whenStill;

  /**
   * @param state the cluster state, of a version that no other attempt has
   * @param two two actors of one table
   * @param servers that have a readable copy of each, their primaries among them
   * @param patience the longest time that an answer may take
   * @param whenStill called once both primaries have stopped accepting updates
   */
  MergeAttempt(
      Environment environment,
      ClusterState state,
      List<ActorId> two,
      List<String> servers,
      Duration patience,
      Runnable whenStill) {
    this.environment = environment;
    this.state = state;
    this.two = List.copyOf(two);
    this.servers = List.copyOf(servers);
    this.patience = patience;
    this.calls = new CopyCalls(environment, state, patience);
    this.whenStill = whenStill;
  }

  @Override
  public List<ActorId> actors() {
    return two;
  }

  @Override
  public List<String> servers() {
    return servers;
  }

  @Override
  public ActorState planned(ActorId id) {
    return state.actor(id).orElseThrow();
  }

  @Override
  public Partitioner partitioner() {
    return table().definition().partitioner();
  }

  private TableState table() {
    return state.tables().get(two.getFirst().table());
  }

  @Override
  public long firstEpoch() {
    return state.version() + 1;
  }

  @Override
  public PartitionChange.Merge run() {
    List<Stopped> stopped = stop();
    whenStill.run();
    long lastMillis = stopped.stream().mapToLong(Stopped::timeMillis).max().orElseThrow();
    Partitioner.Refined merged =
        partitioner()
            .merge(
                two.getFirst().number(),
                two.getLast().number(),
                SplitAttempt.time(environment, table(), lastMillis));
    PartitionChange.Merge merge = (PartitionChange.Merge) merged.changes().getLast();
    TreeMap<String, Unite> unites = new TreeMap<>();
    for (String server : servers) {
      unites.put(server, new Unite(halves(server, stopped), merged, merge.into(), state.version()));
    }
    calls.untilMade(unites);
    for (int i = 0; i < two.size(); i++) {
      fence(two.get(i), stopped.get(i));
    }
    return merge;
  }

  /**
   * Stops both primaries at the same time, so that few updates of both arrive at one and not at the
   * other.
   */
  private List<Stopped> stop() {
    List<Promise<Stopped>> asked = new ArrayList<>();
    for (ActorId id : two) {
      Promise<Stopped> promise = new Promise<>(environment.threads());
      asked.add(promise);
      environment.threads().start("stop " + id, () -> stop(id, promise));
    }
    Deadline deadline = Deadline.after(environment.clock(), patience);
    return asked.stream().map(promise -> promise.await(deadline, "a stop")).toList();
  }

  private void stop(ActorId id, Promise<Stopped> promise) {
    CopyState primary = primary(id);
    Stop stop = new Stop(id, primary.id(), planned(id).epoch());
    try {
      promise.complete(calls.ask(primary.server(), stop, Stopped.class));
    } catch (RuntimeException e) {
      promise.fail(UniserveException.of(e));
    }
  }

  private CopyState primary(ActorId id) {
    return planned(id).copyOn(planned(id).primary()).orElseThrow();
  }

  private List<Half> halves(String server, List<Stopped> stopped) {
    List<Half> parts = new ArrayList<>();
    for (int i = 0; i < two.size(); i++) {
      ActorState actor = planned(two.get(i));
      CopyState copy = actor.copyOn(server).orElseThrow();
      parts.add(new Half(two.get(i), copy.id(), actor.epoch(), stopped.get(i).at()));
    }
    return parts;
  }

  private void fence(ActorId id, Stopped stopped) {
    CopyState primary = primary(id);
    Fence fence = new Fence(id, primary.id(), planned(id).epoch(), stopped.at(), next(id));
    if (!calls.ask(primary.server(), fence, Fenced.class).done()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, "server " + primary.server() + " did not stay stopped");
    }
  }
}
