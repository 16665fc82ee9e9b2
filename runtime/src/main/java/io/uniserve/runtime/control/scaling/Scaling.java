package io.uniserve.runtime.control.scaling;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.policy.LoadSample;
import io.uniserve.api.policy.LoadSample.ServerSample;
import io.uniserve.api.policy.ScalingPolicy.Decision;
import io.uniserve.api.policy.ScalingView;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.control.copies.CopyPlacement;
import io.uniserve.runtime.control.copies.Moves;
import io.uniserve.runtime.control.load.LoadSource;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.wire.ControlMessage;
import io.uniserve.runtime.wire.LoadMessage.ServerFigures;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.FleetChanged;
import io.uniserve.runtime.wire.cluster.ControlRecord.ScalingSet;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerDraining;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerLeaving;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * The scaling of the cluster with its load (DPA §4.5). The servers that the cluster should have are
 * decided here, and recorded in the control log before anybody acts upon that. A {@link
 * ServerProvider} then starts and ends servers.
 *
 * <p>A server that is to go is drained. Once it holds nothing, it is recorded to be leaving. From
 * then on nobody gives it anything in its present life, whatever is decided later; only then may it
 * be ended. The size changes again only after it has ended.
 *
 * <p>Everything but the window of load samples is in the control log, so another leader continues
 * from there. It has to fill a window of its own before it decides anything.
 */
public final class Scaling {
  /** The time between two looks at the wanted and the existing servers. */
  private static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);

  /** The number of samples that are kept; an hour with the usual interval. */
  private static final int SAMPLES_MAX = 720;

  private final Decisions decisions;
  private final Clock clock;
  private final Moves moves;
  private final ScalingParts parts;
  private final LoadSource load;
  private final Runnable drained;
  private final int movesMax;

  /** True if a placement policy balances load on an interval, which also fills new servers. */
  private final boolean fills;

  private final Deque<LoadSample> window = new ArrayDeque<>();
  private long lookedNanos;
  private long decidedNanos;
  private String opinion = "";
  private Optional<Fleet> known = Optional.empty();

  /**
   * @param drained called with a server that is to be emptied
   */
  public Scaling(
      Decisions decisions,
      Clock clock,
      Moves moves,
      ScalingParts parts,
      LoadSource load,
      ControllerSettings settings,
      Runnable drained) {
    this.decisions = decisions;
    this.clock = clock;
    this.moves = moves;
    this.parts = parts;
    this.load = load;
    this.drained = drained;
    this.movesMax = settings.repairs().movesMax() * 2;
    this.fills = settings.placement().interval().isEmpty();
    this.lookedNanos = clock.nanos() - LOOK_INTERVAL.toNanos();
    this.decidedNanos = clock.nanos();
  }

  /**
   * Records how the cluster is to follow its load. Its present servers become its fleet if it had
   * none.
   *
   * @throws UniserveException if this cluster cannot start servers, or there is no such policy
   */
  public void set(ControlMessage.SetScaling request) {
    ServerProvider provider =
        parts
            .provider()
            .orElseThrow(
                () ->
                    new UniserveException(
                        ErrorCode.UNSUPPORTED,
                        "the controllers of this cluster are not configured to start servers"));
    parts.policies().parse(request.settings().policy());
    List<ControlRecord> records = new ArrayList<>();
    records.add(new ScalingSet(request.settings()));
    Fleet fleet = fleet(provider);
    if (fleet.wanted().isEmpty()) {
      records.add(
          new FleetChanged(
              fleet.first(provider.endsAny()), now(), "the servers of the cluster so far"));
    }
    decisions.record(records);
  }

  /** Returns the decided scaling, and the policy's last opinion. */
  public ControlMessage.Scaling report() {
    return new ControlMessage.Scaling(
        decisions.state().scaling(),
        opinion,
        window.isEmpty() ? 0 : window.getLast().utilization(),
        parts.provider().flatMap(ServerProvider::problem).orElse(""));
  }

  /** Looks at the cluster, if it is time to. */
  public void check() {
    Optional<ScalingSettings> settings = decisions.state().scaling().settings();
    boolean due = clock.nanos() - lookedNanos >= interval(settings).toNanos();
    if (settings.isPresent() && parts.provider().isPresent() && due) {
      lookedNanos = clock.nanos();
      look(settings.get(), parts.provider().get());
    }
  }

  private static Duration interval(Optional<ScalingSettings> settings) {
    return settings
        .map(ScalingSettings::interval)
        .filter(interval -> interval.compareTo(LOOK_INTERVAL) < 0)
        .orElse(LOOK_INTERVAL);
  }

  private void look(ScalingSettings settings, ServerProvider provider) {
    if (clock.nanos() - decidedNanos >= settings.interval().toNanos()) {
      decidedNanos = clock.nanos();
      sample();
      if (!settings.paused()) {
        decide(settings, provider);
      }
    }
    drain(provider);
    release(provider);
    if (fills && !decisions.state().placementPaused()) {
      decisions.record(List.copyOf(CopyPlacement.moves(decisions.state(), movesMax)));
    }
    ClusterState state = decisions.state();
    SortedSet<String> running = fleet(provider).running();
    decisions.whenCommitted(() -> provider.want(state.version(), running));
  }

  private void sample() {
    TreeMap<String, ServerSample> servers = new TreeMap<>();
    double slowestMillis = 0;
    ClusterState state = decisions.state();
    for (String server : state.servers().keySet()) {
      Optional<ServerFigures> figures =
          state.takesCopies(server) ? load.load(server) : Optional.empty();
      if (figures.isPresent()) {
        servers.put(server, sample(figures.get()));
        slowestMillis = Math.max(slowestMillis, figures.get().slowMillis());
      }
    }
    if (!servers.isEmpty()) {
      OptionalDouble latency =
          slowestMillis > 0 ? OptionalDouble.of(slowestMillis) : OptionalDouble.empty();
      window.add(new LoadSample(clock.now(), servers, latency));
    }
    if (window.size() > SAMPLES_MAX) {
      window.remove();
    }
  }

  private static ServerSample sample(ServerFigures figures) {
    return new ServerSample(
        figures.utilization(), figures.utilization() * figures.workers(), figures.usage());
  }

  private void decide(ScalingSettings settings, ServerProvider provider) {
    Fleet fleet = fleet(provider);
    int size = fleet.wanted().size();
    ScalingView view =
        new ScalingView(
            clock.now(),
            size,
            settings.serversMin(),
            settings.serversMax(),
            List.copyOf(window),
            decisions.state().scaling().changed());
    Decision wanted = ask(settings, view);
    int bounded = view.bounded(wanted.servers());
    opinion = wanted.reason();
    if (bounded != wanted.servers()) {
      opinion +=
          "; that would be "
              + wanted.servers()
              + " servers, within bounds are "
              + settings.serversMin()
              + " to "
              + settings.serversMax();
    }
    if (bounded > size && !fleet.ends()) {
      change(provider, fleet.grown(bounded, provider.endsAny()), opinion);
    } else if (bounded < size && fleet.complete() && !fleet.shrinks() && !fleet.moves()) {
      shrink(provider, fleet, bounded, wanted);
    }
  }

  /** Asks the policy. A policy that fails changes nothing; the bounds hold all the same. */
  private Decision ask(ScalingSettings settings, ScalingView view) {
    try {
      return parts.policies().parse(settings.policy()).decide(view);
    } catch (RuntimeException e) {
      return new Decision(view.servers(), "the policy failed: " + e.getMessage());
    }
  }

  private void shrink(ServerProvider provider, Fleet fleet, int size, Decision wanted) {
    List<String> leaveFirst = provider.endsAny() ? wanted.leaveFirst() : List.of();
    try {
      change(provider, fleet.shrunk(size, leaveFirst), opinion);
    } catch (UniserveException e) {
      opinion += "; but " + e.getMessage();
    }
  }

  /** Records another fleet. A server that comes back is not drained any more. */
  private void change(ServerProvider provider, List<String> fleet, String why) {
    List<String> before = decisions.state().scaling().fleet();
    decisions.record(List.of(new FleetChanged(fleet, now(), why)));
    for (String name : fleet) {
      boolean back = !before.contains(name) && decisions.state().servers().containsKey(name);
      if (back) {
        moves.drain(name, false, "wanted again: " + why);
      }
    }
    drain(provider);
  }

  private void drain(ServerProvider provider) {
    String why = decisions.state().scaling().why();
    List<ControlRecord> draining = new ArrayList<>();
    fleet(provider).toDrain().forEach(name -> draining.add(new ServerDraining(name, true, why)));
    if (!draining.isEmpty()) {
      decisions.record(draining);
      moves.begin();
      drained.run();
    }
  }

  /** Returns the fleet of the present state, derived again only when the state has changed. */
  private Fleet fleet(ServerProvider provider) {
    ClusterState state = decisions.state();
    if (known.filter(fleet -> fleet.isOf(state)).isEmpty()) {
      known = Optional.of(new Fleet(state, provider.names()));
    }
    return known.get();
  }

  private void release(ServerProvider provider) {
    fleet(provider)
        .toRelease()
        .forEach(
            server ->
                decisions.record(List.of(new ServerLeaving(server.name(), server.incarnation()))));
  }

  private long now() {
    Instant last = decisions.state().scaling().changed().orElse(Instant.EPOCH);
    return Math.max(clock.now().toEpochMilli(), last.toEpochMilli());
  }
}
