package io.uniserve.runtime.client;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.PartitionedRecord;
import io.uniserve.api.UniserveException;
import io.uniserve.api.UpdateFunction;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.wire.Payload;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.UpdateMessage.Update;
import io.uniserve.runtime.wire.UpdateMessage.Updated;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One eventual update (DPA §4.2): each touched actor's primary is asked, in parallel, and asked
 * again until it answers, wherever it is by then. The idempotency key makes that safe.
 */
final class UpdateRun {
  private static final Duration PAUSE_MAX = Duration.ofMillis(500);

  private final ClientContext client;
  private final TableState table;
  private final UpdateOptions options;
  private final String key;
  private final Payload function;
  private final Deadline deadline;

  UpdateRun(
      ClientContext client,
      TableState table,
      UpdateFunction<?, ?> function,
      UpdateOptions options) {
    if (function.consistency() != Consistency.EVENTUAL) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          function.consistency() + " updates are not supported yet: " + function);
    }
    this.client = client;
    this.table = table;
    this.options = options;
    this.key = options.idempotencyKey().orElseGet(this::newKey);
    this.function = Payload.of(table.definition().engine(), function);
    this.deadline = Deadline.after(clock(), options.timeout());
  }

  UpdateReceipt run(Map<Integer, List<PartitionedRecord>> recordsByActor) {
    List<Map.Entry<Integer, List<PartitionedRecord>>> parts =
        List.copyOf(recordsByActor.entrySet());
    SortedMap<ActorId, Position> positions = new TreeMap<>();
    int width = client.settings().fanOutMax();
    for (int first = 0; first < parts.size(); first += width) {
      positions.putAll(together(parts.subList(first, Math.min(parts.size(), first + width))));
    }
    return new UpdateReceipt(positions);
  }

  /**
   * All of them are awaited even if one fails, so that nothing goes on behind the caller's back.
   */
  private SortedMap<ActorId, Position> together(
      List<Map.Entry<Integer, List<PartitionedRecord>>> parts) {
    if (parts.size() == 1) {
      ActorId only = table.actorId(parts.getFirst().getKey());
      return new TreeMap<>(Map.of(only, applied(only, parts.getFirst().getValue())));
    }
    Environment environment = client.environment();
    Map<ActorId, Promise<Position>> promises = new TreeMap<>();
    for (Map.Entry<Integer, List<PartitionedRecord>> part : parts) {
      ActorId id = table.actorId(part.getKey());
      Promise<Position> promise = new Promise<>(environment.threads());
      promises.put(id, promise);
      environment.threads().start("update " + id, () -> settle(promise, id, part.getValue()));
    }
    SortedMap<ActorId, Position> positions = new TreeMap<>();
    List<UniserveException> failures = new ArrayList<>();
    promises.forEach((id, promise) -> collect(id, promise, positions, failures));
    if (!failures.isEmpty()) {
      UniserveException first = failures.getFirst();
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
    return positions;
  }

  private void settle(Promise<Position> promise, ActorId id, List<PartitionedRecord> records) {
    try {
      promise.complete(applied(id, records));
    } catch (UniserveException e) {
      promise.fail(e);
    }
  }

  private void collect(
      ActorId id,
      Promise<Position> promise,
      SortedMap<ActorId, Position> positions,
      List<UniserveException> failures) {
    try {
      positions.put(
          id, promise.await(Deadline.after(clock(), Deadline.LONGEST), "update of actor " + id));
    } catch (UniserveException e) {
      failures.add(e);
    }
  }

  private Position applied(ActorId id, List<PartitionedRecord> records) {
    boolean allCopies = options.acknowledgement() == Acknowledgement.ALL_COPIES;
    Update update =
        new Update(id, key, function, Payload.of(table.definition().engine(), records), allCopies);
    Duration pause = client.settings().retryDelay();
    Optional<UniserveException> before = Optional.empty();
    while (true) {
      Signal change = client.subscription().nextChange();
      UniserveException failure;
      try {
        return ask(update);
      } catch (UniserveException e) {
        failure = e;
      }
      if (!failure.retryable() || deadline.expired(clock())) {
        throw before.isPresent() ? together(failure, before.get()) : failure;
      }
      before = Optional.of(failure);
      pause(change, pause, failure);
      pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause.multipliedBy(2);
    }
  }

  /** That time ran out tells nobody why it did. */
  private static UniserveException together(UniserveException failure, UniserveException before) {
    return failure.code() == ErrorCode.DEADLINE_EXCEEDED
        ? new UniserveException(
            failure.code(), failure.getMessage() + "; before that, " + before.getMessage(), before)
        : failure;
  }

  private Position ask(Update update) {
    ClusterState state = client.state();
    ActorState actor =
        state
            .actor(update.actor())
            .orElseThrow(
                () ->
                    new UniserveException(
                        ErrorCode.NOT_FOUND,
                        "table '" + table.definition().name() + "' was dropped"));
    ServerState primary = state.servers().get(actor.primary());
    if (!primary.alive()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "actor "
              + update.actor().number()
              + " of table '"
              + table.definition().name()
              + "' has no primary now");
    }
    return Calls.ask(client.environment(), primary.address(), update, Updated.class, deadline)
        .position();
  }

  private void pause(Signal change, Duration pause, UniserveException failure) {
    try {
      change.await(Deadline.after(clock(), pause).earlier(deadline));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure;
    }
    if (deadline.expired(clock())) {
      throw failure;
    }
  }

  private String newKey() {
    var random = client.environment().random();
    return Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
  }

  private Clock clock() {
    return client.environment().clock();
  }
}
