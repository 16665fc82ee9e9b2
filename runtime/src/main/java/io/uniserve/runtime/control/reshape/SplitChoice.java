package io.uniserve.runtime.control.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.api.Usage;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.control.load.LoadView;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.wire.LoadMessage.ActorLoad;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The choice of an actor to split because of its size or the load of its operators. Of those that
 * can be split, it takes the actor that exceeds its bound the most. It chooses one actor in an
 * interval. An actor whose split was given up is not chosen again for a while.
 */
public final class SplitChoice {
  private static final Duration REST = Duration.ofHours(1);

  private final Clock clock;
  private final PlacementSettings settings;
  private final Predicate<TableState> splittable;
  private final Map<ActorId, Long> askedAtNanos = new TreeMap<>();
  private long nextNanos;

  /** A chosen actor. */
  public record Chosen(ActorId actor, String why, double excess) {}

  /**
   * @param splittable tells whether a table's actors can be split at all
   */
  public SplitChoice(Clock clock, PlacementSettings settings, Predicate<TableState> splittable) {
    this.clock = clock;
    this.settings = settings;
    this.splittable = splittable;
    this.nextNanos = clock.nanos();
  }

  /** Returns the actor to split now, if any. */
  public Optional<Chosen> next(ClusterState state, LoadView loads) {
    long now = clock.nanos();
    if (settings.interval().isEmpty() || state.placementPaused() || nextNanos - now > 0) {
      return Optional.empty();
    }
    nextNanos = now + settings.interval().get().toNanos();
    askedAtNanos.values().removeIf(asked -> now - asked > REST.toNanos());
    Optional<Chosen> chosen =
        loads.actors(state).values().stream()
            .filter(load -> !askedAtNanos.containsKey(load.actor()))
            .map(this::judge)
            .flatMap(Optional::stream)
            .filter(one -> rests(state, one.actor()))
            .max(Comparator.comparingDouble(Chosen::excess));
    chosen.ifPresent(one -> askedAtNanos.put(one.actor(), now));
    return chosen;
  }

  private boolean rests(ClusterState state, ActorId id) {
    TableState table = state.tables().get(id.table());
    return table != null
        && state.actor(id).filter(actor -> actor.reshaping().isEmpty()).isPresent()
        && splittable.test(table);
  }

  private Optional<Chosen> judge(ActorLoad load) {
    Usage usage = load.usage();
    double bytes = (double) usage.memoryBytes() + usage.diskBytes();
    double size = bytes / settings.splits().bytesMax();
    double work = load.load() / settings.splits().loadMax();
    if (Math.max(size, work) <= 1) {
      return Optional.empty();
    }
    String why =
        size > work
            ? String.format(
                Locale.ROOT,
                "it occupies %.0f MiB, more than %.0f",
                bytes / (1 << 20),
                (double) settings.splits().bytesMax() / (1 << 20))
            : String.format(
                Locale.ROOT,
                "its operators keep %.2f threads busy, more than %.2f",
                load.load(),
                settings.splits().loadMax());
    return Optional.of(new Chosen(load.actor(), why, Math.max(size, work)));
  }
}
