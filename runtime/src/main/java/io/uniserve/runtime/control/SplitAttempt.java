package io.uniserve.runtime.control;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.PartitionKey;
import io.uniserve.api.Partitioner;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ReplicationMessage.Fence;
import io.uniserve.runtime.wire.ReplicationMessage.Fenced;
import io.uniserve.runtime.wire.ReplicationMessage.Fork;
import io.uniserve.runtime.wire.ReplicationMessage.Forked;
import io.uniserve.runtime.wire.ReplicationMessage.Stop;
import io.uniserve.runtime.wire.ReplicationMessage.Stopped;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One attempt to split one actor, on a thread of its own. The primary takes no more updates; each
 * copy makes one of the new actor beside it; then the primary promises to accept nothing but of the
 * next reign. What is left is to record that. Reads go on throughout.
 */
final class SplitAttempt {
  /** For how long copies of the new actor may take to be made. */
  private static final Duration FORKING_MAX = Duration.ofMinutes(10);

  private static final Duration LOOK_INTERVAL = Duration.ofMillis(50);

  /** Questions that one copy may leave without an answer, one after another. */
  private static final int SILENCES_MAX = 2;

  private final Environment environment;
  private final ClusterState state;
  private final ActorId id;
  private final List<CopyState> copies;
  private final Duration patience;

  /**
   * @param state of a version that no other attempt has
   * @param copies those that may be read, the primary among them
   * @param patience how long an answer may take
   */
  SplitAttempt(
      Environment environment,
      ClusterState state,
      ActorId id,
      List<CopyState> copies,
      Duration patience) {
    this.environment = environment;
    this.state = state;
    this.id = id;
    this.copies = copies;
    this.patience = patience;
  }

  ActorId actor() {
    return id;
  }

  /** The actor as it was when the attempt began. */
  ActorState planned() {
    return state.actor(id).orElseThrow();
  }

  /** Its table's, then. */
  Partitioner partitioner() {
    return state.tables().get(id.table()).definition().partitioner();
  }

  List<CopyState> copies() {
    return copies;
  }

  /** The first reign of the new actor; that before belongs to this attempt alone. */
  long firstEpoch() {
    return state.version() + 1;
  }

  /** The reign that the primary was asked to promise. */
  long next() {
    return planned().epoch() + 1;
  }

  /**
   * Has all copies ready for the split.
   *
   * @throws UniserveException if that cannot be; some may be ready nevertheless
   */
  Partitioner.Cut run() {
    CopyState primary = planned().copyOn(planned().primary()).orElseThrow();
    long epoch = planned().epoch();
    Stopped stopped = ask(primary, new Stop(id, primary.id(), epoch), Stopped.class);
    Partitioner.Refined refined =
        partitioner().cut(id.number(), where(stopped.middle()), time(stopped.timeMillis()));
    Partitioner.Cut cut = refined.cuts().getLast();
    fork(
        copy -> new Fork(id, copy.id(), epoch, stopped.at(), refined, cut.into(), state.version()));
    Fence fence = new Fence(id, primary.id(), epoch, stopped.at(), next());
    if (!ask(primary, fence, Fenced.class).done()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, "server " + primary.server() + " went on meanwhile");
    }
    return cut;
  }

  /** Whatever the clocks say, it is not before what was before. */
  private long time(long lastUpdateMillis) {
    long now = environment.clock().now().toEpochMilli();
    long before =
        partitioner() instanceof Partitioner.Refined refined
            ? refined.cuts().getLast().timeMillis()
            : 0;
    return Math.max(Math.max(now, before), lastUpdateMillis);
  }

  private Partitioner.Where where(Optional<PartitionKey> middle) {
    if (partitioner().base() instanceof Partitioner.Hash) {
      return new Partitioner.Where.Bit(depth());
    }
    PartitionKey at =
        planned()
            .splitting()
            .orElseThrow()
            .at()
            .or(() -> middle)
            .filter(key -> partitioner().actorOf(key) == id.number())
            .orElseThrow(
                () ->
                    new UniserveException(
                        ErrorCode.UNSUPPORTED, "it has no two keys to be split between"));
    return new Partitioner.Where.From(at);
  }

  /** How many cuts have made the actor's keys what they are: each took the next bit. */
  private int depth() {
    TreeMap<Integer, Integer> depths = new TreeMap<>();
    if (partitioner() instanceof Partitioner.Refined refined) {
      for (Partitioner.Cut cut : refined.cuts()) {
        int depth = depths.getOrDefault(cut.actor(), 0) + 1;
        depths.put(cut.actor(), depth);
        depths.put(cut.into(), depth);
      }
    }
    return depths.getOrDefault(id.number(), 0);
  }

  @FunctionalInterface
  private interface Forking {
    Fork of(CopyState copy);
  }

  /** Every copy is asked again and again; the primary stays stopped for as long as it is. */
  private void fork(Forking forking) {
    Deadline deadline = Deadline.after(environment.clock(), FORKING_MAX);
    int silences = 0;
    boolean made = false;
    while (!made) {
      made = true;
      for (CopyState copy : copies) {
        try {
          made &= ask(copy, forking.of(copy), Forked.class).made();
          silences = 0;
        } catch (UniserveException e) {
          made = false;
          if (e.code() != ErrorCode.DEADLINE_EXCEEDED || ++silences > SILENCES_MAX) {
            throw e;
          }
        }
      }
      deadline.check(environment.clock(), "the copies of the new actor");
      if (!made) {
        pause();
      }
    }
  }

  private void pause() {
    try {
      environment.clock().sleep(LOOK_INTERVAL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted", e);
    }
  }

  private <T extends Message> T ask(CopyState copy, Message request, Class<T> reply) {
    return Calls.ask(
        environment,
        state.servers().get(copy.server()).address(),
        request,
        reply,
        Deadline.after(environment.clock(), patience));
  }
}
