package io.uniserve.runtime.control.placement;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.kernel.Workers;
import io.uniserve.runtime.control.copies.MoveSlots;
import io.uniserve.runtime.control.load.LoadSkew;
import io.uniserve.runtime.control.load.LoadSnapshot;
import io.uniserve.runtime.control.load.LoadView;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.settings.PlacementPolicies;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.wire.PlacementMessage;
import io.uniserve.runtime.wire.PlacementMessage.Change;
import io.uniserve.runtime.wire.PlacementMessage.DecidePlacement;
import io.uniserve.runtime.wire.PlacementMessage.PlacementDecided;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorPlaced;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The balancing of load by placement policies, on request or on an interval (DPA §4.4). A policy
 * computes on a thread of its own, upon a snapshot. Its wishes are recorded, except those that no
 * longer fit the cluster. {@link MoveSlots} then turns them into moves and copies, as many at a
 * time as there is room for. Everything but the policy runs on the deciding thread.
 */
public final class Balancing {
  private static final Logger LOG = LoggerFactory.getLogger(Balancing.class);

  /** The number of requests whose answers are kept until they are asked for. */
  private static final int REQUESTS_MAX = 32;

  /** The number of intervals for which a decision waits for the moves of the one before it. */
  private static final int PATIENCE_INTERVALS = 10;

  /** The number of intervals after which a policy that failed is asked again. */
  private static final int FAILURE_INTERVALS = 5;

  private final Environment environment;
  private final Decisions decisions;
  private final PlacementPolicies policies;
  private final PlacementSettings settings;
  private final Workers workers;
  private final LoadView loads;
  private final Consumer<ActorId> placed;
  private final Map<String, Request> requests = new LinkedHashMap<>();
  private long nextNanos;
  private long latestNanos;
  private boolean computing;

  /** A request, and its outcome so far. */
  private static final class Request {
    private Optional<PlacementDecided> decided = Optional.empty();
    private Optional<UniserveException> failure = Optional.empty();
  }

  /** The input of one decision. */
  private record Basis(
      String name, PlacementPolicy policy, ClusterState state, ClusterLoad snapshot) {}

  /** The result of a policy. */
  private record Wanted(String summary, List<Change> changes) {}

  /**
   * @param placed receives each actor whose wanted servers have changed
   */
  public Balancing(
      Environment environment,
      Decisions decisions,
      Placer placer,
      PlacementSettings settings,
      LoadView loads,
      Consumer<ActorId> placed) {
    this.environment = environment;
    this.decisions = decisions;
    this.policies = placer.policies();
    this.workers = placer.workers();
    this.settings = settings;
    this.loads = loads;
    this.placed = placed;
    settings.interval().ifPresent(interval -> later(interval, 1));
  }

  private void later(Duration interval, int intervals) {
    Clock clock = environment.clock();
    nextNanos = clock.nanos() + interval.toNanos() * intervals;
    latestNanos = clock.nanos() + interval.toNanos() * (intervals + PATIENCE_INTERVALS);
  }

  /** Decides if it is time to. */
  public void check() {
    settings.interval().ifPresent(this::check);
  }

  private void check(Duration interval) {
    long now = environment.clock().nanos();
    ClusterState state = decisions.state();
    if (computing || state.placementPaused()) {
      return;
    }
    if (latestNanos - now > 0 && PlacementChanges.underWay(state)) {
      nextNanos = now + interval.toNanos(); // the load as it is once the moves have ended
    } else if (nextNanos - now <= 0 && loads.isComplete(state)) {
      later(interval, 1);
      Basis basis = basis(settings.policy());
      compute(basis, wanted -> onInterval(basis, wanted), this::failed);
    }
  }

  private void failed(UniserveException failure) {
    LOG.warn("placement policy {} did not decide: {}", settings.policy(), failure.getMessage());
    settings.interval().ifPresent(interval -> later(interval, FAILURE_INTERVALS));
  }

  private void onInterval(Basis basis, Wanted wanted) {
    List<Change> changes = wanted.changes();
    if (!isUneven(basis)) {
      changes = changes.stream().filter(Balancing::onlyDrops).toList();
    }
    if (!decisions.state().placementPaused() && !changes.isEmpty()) {
      LOG.info("placement policy {}: {}", basis.name(), wanted.summary());
      record(basis, changes);
    }
  }

  /**
   * Returns whether load is spread unevenly enough for moves, or an actor lacks a copy on a server
   * to which it is pinned.
   */
  private boolean isUneven(Basis basis) {
    return LoadSkew.of(basis.snapshot()).exceeds(settings.loadMin(), settings.gainMin())
        || PlacementChanges.pinUnmet(basis.snapshot());
  }

  private static boolean onlyDrops(Change change) {
    return change.from().containsAll(change.to());
  }

  /** Answers once the policy has decided. Until then the caller asks again. */
  public void decide(DecidePlacement asked, Incoming call) {
    Request request = requests.get(asked.request());
    if (request == null) {
      request = begin(asked);
    }
    if (request.failure.isPresent()) {
      requests.remove(asked.request());
      throw request.failure.get();
    }
    call.reply(
        request
            .decided
            .<PlacementMessage>map(decided -> decided)
            .orElseGet(PlacementMessage.PlacementUndecided::new));
    call.complete();
  }

  private Request begin(DecidePlacement asked) {
    if (asked.apply() && decisions.state().placementPaused()) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT, "placement is paused: resume it first");
    }
    Basis basis = basis(asked.policy().orElse(settings.policy()));
    if (computing) {
      throw new UniserveException(ErrorCode.OVERLOADED, "a placement policy computes already");
    }
    Request request = new Request();
    requests.put(asked.request(), request);
    if (requests.size() > REQUESTS_MAX) {
      requests.remove(requests.keySet().iterator().next());
    }
    compute(
        basis,
        wanted -> request.decided = Optional.of(decided(basis, wanted, asked.apply())),
        failure -> request.failure = Optional.of(failure));
    return request;
  }

  private PlacementDecided decided(Basis basis, Wanted wanted, boolean apply) {
    List<Change> changes = wanted.changes();
    int told = Math.min(changes.size(), settings.changesMax());
    List<Change> first = changes.subList(0, told);
    List<Change> done = apply ? record(basis, first) : first;
    return new PlacementDecided(
        basis.name(), wanted.summary(), done, changes.size() - done.size(), apply);
  }

  private Basis basis(String policy) {
    ClusterState state = decisions.state();
    return new Basis(
        policy,
        policies.require(policy),
        state,
        LoadSnapshot.of(state, loads, settings.coolBelow()));
  }

  private void compute(Basis basis, Consumer<Wanted> decided, Consumer<UniserveException> failed) {
    computing = true;
    workers.submit(
        () -> {
          try {
            Placement placement = basis.policy().place(basis.snapshot());
            Wanted wanted =
                new Wanted(
                    placement.summary(),
                    PlacementChanges.of(basis.snapshot(), placement, settings.copiesMax()));
            conclude(() -> decided.accept(wanted));
          } catch (UniserveException e) {
            conclude(() -> failed.accept(e));
          } catch (RuntimeException | LinkageError | StackOverflowError e) {
            LOG.error("placement policy {} failed", basis.name(), e);
            UniserveException failure =
                new UniserveException(
                    ErrorCode.INTERNAL,
                    "placement policy " + basis.name() + " failed: " + UniserveException.reason(e),
                    e);
            conclude(() -> failed.accept(failure));
          }
        });
  }

  private void conclude(Runnable end) {
    decisions.submit(
        () -> {
          computing = false;
          end.run();
        });
  }

  /** Records the changes that still fit the cluster, and returns them. */
  private List<Change> record(Basis basis, List<Change> changes) {
    List<ControlRecord> records = new ArrayList<>();
    List<Change> done = new ArrayList<>();
    for (Change change : changes) {
      if (records.size() < settings.changesMax() && fits(basis, change)) {
        records.add(new ActorPlaced(change.actor(), change.to(), change.why()));
        done.add(change);
      }
    }
    if (!records.isEmpty()) {
      decisions.record(records);
      done.forEach(change -> placed.accept(change.actor()));
    }
    return done;
  }

  /** Returns whether the actor is as the policy saw it, and is not being changed. */
  private boolean fits(Basis basis, Change change) {
    ClusterState state = decisions.state();
    Optional<ActorState> now = state.actor(change.actor());
    return now.isPresent()
        && now.get().move().isEmpty()
        && now.get().reshaping().isEmpty()
        && now.get().pins().equals(pinsThen(basis, change.actor()))
        && LoadSnapshot.copies(state, now.get()).equals(change.from())
        && change.to().stream().allMatch(state::takesCopies);
  }

  private static List<String> pinsThen(Basis basis, ActorId id) {
    TableState table = basis.state().tables().get(id.table());
    return table.actors().get(id.number()).pins();
  }
}
