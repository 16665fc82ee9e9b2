package io.uniserve.simulation.scenario.cluster.recording;

import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.simulation.scenario.cluster.check.HistoryEvent;
import io.uniserve.simulation.scenario.cluster.check.StateOracle;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A witness of the control log of a real cluster, which hears it through several clients from its
 * beginning. It compares what the clients hear, and checks every version. It writes down what
 * concerns the recorded tables. Safe for use by many threads.
 */
public final class LogWitness {
  private final ReentrantLock lock = new ReentrantLock();
  private final StateOracle truth = new StateOracle(server -> {}, this::changed, note -> {});
  private final Map<String, Recording> recordings = new LinkedHashMap<>();
  private final Map<String, Set<Copy>> readable = new LinkedHashMap<>();
  private Optional<Throwable> failure = Optional.empty();

  private record Copy(int actor, String server) {}

  /** Adds a recording, in which news of its table is written down from now on. */
  public void add(Recording recording) {
    lock.lock();
    try {
      recordings.put(recording.table().name(), recording);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a record that a client was told. A violation is returned by {@link #failure}. A record
   * whose predecessor is not known yet waits for another client that hears both, so no record is
   * ever left out.
   */
  public void told(ClusterState after, ControlRecord record) {
    lock.lock();
    try {
      if (after.version() <= truth.state().version() + 1) {
        truth.told(after, record);
        if (truth.look(after)) {
          recordings.forEach((table, recording) -> noteReadable(after, table, recording));
        }
      }
    } catch (RuntimeException | Error e) {
      failure = failure.or(() -> Optional.of(e));
    } finally {
      lock.unlock();
    }
  }

  /** Returns the newest state that was heard of. */
  public ClusterState state() {
    lock.lock();
    try {
      return truth.state();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the violation of an {@link Invariant}; empty if there is none. */
  public Optional<Throwable> failure() {
    lock.lock();
    try {
      return failure;
    } finally {
      lock.unlock();
    }
  }

  private void changed(TableState table, int number, ActorState before) {
    Recording recording = recordings.get(table.definition().name());
    if (recording == null) {
      return;
    }
    ActorState now = table.actors().get(number);
    if (!now.committed().equals(before.committed())) {
      recording.add(
          new HistoryEvent.Committed(
              number, now.committed().transaction(), now.committed().version()));
    }
    if (now.epoch() != before.epoch()) {
      recording.add(new HistoryEvent.Led(number, now.epoch()));
    }
  }

  private void noteReadable(ClusterState state, String table, Recording recording) {
    Set<Copy> now = new LinkedHashSet<>();
    state.table(table).ifPresent(known -> addReadable(state, known, now));
    Set<Copy> before = readable.getOrDefault(table, Set.of());
    readable.put(table, now);
    note(recording, now, before, true);
    note(recording, before, now, false);
  }

  private static void addReadable(ClusterState state, TableState table, Set<Copy> copies) {
    table.forEachActor(
        (id, actor) ->
            actor.copies().stream()
                .filter(copy -> copy.isRead() && state.alive(copy.server()))
                .map(copy -> state.servers().get(copy.server()).address().toString())
                .forEach(server -> copies.add(new Copy(id.number(), server))));
  }

  private static void note(Recording recording, Set<Copy> those, Set<Copy> without, boolean is) {
    those.stream()
        .filter(copy -> !without.contains(copy))
        .forEach(copy -> recording.add(new HistoryEvent.Readable(copy.actor(), copy.server(), is)));
  }
}
