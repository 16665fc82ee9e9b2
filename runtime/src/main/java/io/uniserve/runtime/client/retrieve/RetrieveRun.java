package io.uniserve.runtime.client.retrieve;

import io.uniserve.api.Operator;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.Hedging;
import io.uniserve.runtime.client.context.Latencies;
import io.uniserve.runtime.client.context.ReshapedException;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.ReadPoint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One retrieve and combine over the actors of a table (DPA §3.3), on the caller's thread. Calls to
 * servers, one for all actors asked there, bring values on other threads. The caller's thread
 * combines them, and asks failed actors again: at once on another copy, or after a pause where
 * there is none. If a copy is late, another is asked, too. The first to bring all its values
 * counts, and the other is cancelled.
 */
public final class RetrieveRun<V, R> {
  private final ClientContext client;
  private final TableState table;
  private final RetrieveRequest request;
  private final Operator.Combiner<V, R> combiner;
  private final Deadline deadline;
  private final boolean partial;
  private final int asked;
  private final Latencies latencies;
  private final QueryProgress progress;

  /** The time from which actors that have not answered count as late. */
  private long lateAtNanos = Long.MAX_VALUE;

  /**
   * @param retrieve runs on every actor
   * @param partial true if actors that cannot answer may be missing from the result
   */
  public RetrieveRun(
      ClientContext client,
      TableState table,
      Optional<ReadPoint> point,
      Collection<Integer> actors,
      Operator.Retrieve<?, V> retrieve,
      Operator.Combine<V, R> combine,
      Deadline deadline,
      boolean partial) {
    this.client = client;
    this.table = table;
    this.combiner = combine.begin();
    this.deadline = deadline;
    this.partial = partial;
    this.asked = actors.size();
    this.latencies = client.hedging().of(table.id());
    this.request =
        new RetrieveRequest(
            client,
            table,
            Payload.of(table.definition().engine(), retrieve),
            retrieve.brief(),
            point,
            deadline,
            latencies);
    this.progress = new QueryProgress(client, table, actors, partial);
  }

  public R run() {
    boolean answeredAll = false;
    try {
      List<PartitionAttempts> shares = progress.shares();
      expectAnswers(shares.size());
      ask(shares);
      while (!step()) {
        checkDeadline();
      }
      answeredAll = missing().isEmpty();
      requireSomeAnswer();
      return combiner.result();
    } finally {
      // Once every actor has answered, nothing is under way: the calls end by themselves.
      if (!answeredAll) {
        progress.cancelAll();
      }
    }
  }

  /** Returns the actors that the result lacks, and the reasons. */
  public SortedMap<Integer, String> missing() {
    return progress.missing();
  }

  /** Requires the answer of at least one actor, since no engine can make a result of nothing. */
  private void requireSomeAnswer() {
    if (missing().size() == asked) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          describe()
              + ": none of its "
              + asked
              + " actors has answered; actor "
              + missing().firstKey()
              + ": "
              + missing().get(missing().firstKey()));
    }
  }

  private void expectAnswers(int actors) {
    Hedging hedging = client.hedging();
    hedging.began(actors);
    long delayNanos = hedging.delayNanos(latencies);
    if (delayNanos < deadline.remainingNanos(clock())) {
      lateAtNanos = clock().nanos() + delayNanos;
    }
  }

  /**
   * Fails at the deadline, except for a partial answer, which is then given with the values so far.
   */
  private void checkDeadline() {
    if (!partial) {
      deadline.check(clock(), describe());
    }
  }

  /** Waits for work and does it; returns true when every actor has been combined. */
  private boolean step() {
    if (!awaitWake()) {
      overdue();
    }
    QueryProgress.Next next = progress.next();
    next.answered().forEach(this::combine);
    ask(next.failed());
    return next.last();
  }

  private boolean awaitWake() {
    Deadline until =
        lateAtNanos == Long.MAX_VALUE ? deadline : new Deadline(lateAtNanos).earlier(deadline);
    try {
      return progress.wake().await(until, latencies.expectedNanos());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Handles actors that are late, or too late. */
  private void overdue() {
    if (!deadline.expired(clock())) {
      lateAtNanos = Long.MAX_VALUE;
      progress.enqueueBeside(this::secondAttempts);
    } else if (partial) {
      progress.missAll("no answer before the deadline");
    } else {
      throw new UniserveException(
          ErrorCode.DEADLINE_EXCEEDED,
          describe() + ": no answer of " + progress.unanswered() + " actors before the deadline");
    }
  }

  /** Returns calls to other copies of late actors, as far as extra work is allowed. */
  private Collection<ServerCall> secondAttempts(Collection<PartitionAttempts> shares) {
    ClusterState state = client.state();
    CopyChoice choice = new CopyChoice(state, client.load());
    Map<String, List<PartitionAttempts>> byServer = new TreeMap<>();
    for (PartitionAttempts share : shares) {
      share
          .lateOn()
          .flatMap(server -> otherCopy(state, choice, share, server))
          .filter(server -> client.hedging().take())
          .ifPresent(
              server -> byServer.computeIfAbsent(server, name -> new ArrayList<>()).add(share));
    }
    return calls(state, byServer);
  }

  private Optional<String> otherCopy(
      ClusterState state, CopyChoice choice, PartitionAttempts share, String late) {
    Set<String> avoided = new TreeSet<>(share.avoided());
    avoided.add(late);
    return state
        .actor(table.actorId(share.actor()))
        .flatMap(actor -> choice.choose(actor, avoided));
  }

  private List<ServerCall> calls(
      ClusterState state, Map<String, List<PartitionAttempts>> byServer) {
    List<ServerCall> calls = new ArrayList<>(byServer.size());
    byServer.forEach(
        (server, some) ->
            calls.add(
                new ServerCall(
                    request,
                    progress,
                    state.servers().get(server),
                    some.stream().map(PartitionAttempts::actor).toList())));
    return calls;
  }

  @SuppressWarnings("unchecked")
  private void combine(PartitionAttempts share) {
    Invariant.EXACT_ANSWER.require(
        share.combineOnce(), () -> "actor " + share.actor() + " was counted twice");
    List<Payload> values = share.takeAnswer();
    for (Payload value : values) {
      combiner.add(share.actor(), (V) value.value(client.engines()));
    }
    progress.released(values.size());
  }

  /** Asks one copy of each actor; waits first if all have been tried or there is none. */
  private void ask(List<PartitionAttempts> wanted) {
    List<PartitionAttempts> left = wanted;
    while (!left.isEmpty()) {
      Signal change = client.subscription().nextChange();
      left = patient(askThoseWithCopy(left));
      if (!left.isEmpty()) {
        pause(change, left);
        checkDeadline();
      }
      if (partial && deadline.expired(clock())) {
        return; // the next step returns the values so far
      }
    }
  }

  /** Asks the actors that have a copy to ask now; returns the others. */
  private List<PartitionAttempts> askThoseWithCopy(List<PartitionAttempts> wanted) {
    ClusterState state = client.state();
    CopyChoice choice = new CopyChoice(state, client.load());
    Map<String, List<PartitionAttempts>> byServer = new TreeMap<>();
    List<PartitionAttempts> left = new ArrayList<>();
    for (PartitionAttempts share : wanted) {
      ReshapedException.require(state, table, table.actorId(share.actor()));
      ActorState actor =
          state.actor(table.actorId(share.actor())).orElseThrow(() -> state.gone(table));
      choice
          .choose(actor, share.avoided())
          .ifPresentOrElse(
              server -> byServer.computeIfAbsent(server, name -> new ArrayList<>()).add(share),
              () -> left.add(share));
    }
    left.forEach(PartitionAttempts::avoidNothing);
    calls(state, byServer).forEach(progress::enqueue);
    return left;
  }

  /** Returns those that may still be waited for. */
  private List<PartitionAttempts> patient(List<PartitionAttempts> left) {
    List<PartitionAttempts> patient = new ArrayList<>(left.size());
    for (PartitionAttempts share : left) {
      if (!share.outOfPatience(clock(), client.settings().patience())) {
        patient.add(share);
      } else if (partial) {
        progress.miss(share, share.unanswerable(client.state(), table).getMessage());
      } else {
        throw share.unanswerable(client.state(), table);
      }
    }
    return patient;
  }

  private void pause(Signal change, List<PartitionAttempts> left) {
    long nanos =
        left.stream().mapToLong(share -> share.pauseNanos(client.settings())).min().orElseThrow();
    Deadline until = new Deadline(clock().nanos() + nanos).earlier(deadline);
    try {
      change.await(until);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private UniserveException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new UniserveException(ErrorCode.CANCELLED, describe() + ": interrupted", e);
  }

  private String describe() {
    return "query of table '" + table.definition().name() + "'";
  }

  private Clock clock() {
    return client.environment().clock();
  }
}
