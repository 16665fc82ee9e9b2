package io.uniserve.runtime.control.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.api.Usage;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.control.load.LoadView;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.wire.LoadMessage.ActorLoad;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The choice of two actors to merge because they occupy and do little. Of pairs that came from
 * splits, were below the bounds for long enough and can be merged, it takes the smallest. It
 * chooses one pair in an interval. A pair whose merge was given up is not chosen again for a while.
 */
public final class MergeChoice {
  private static final Duration REST = Duration.ofHours(1);

  private final Clock clock;
  private final PlacementSettings settings;
  private final Predicate<TableState> mergeable;
  private final Map<Merges.Pair, Long> coldSinceNanos = new TreeMap<>(ORDER);
  private final Map<Merges.Pair, Long> askedAtNanos = new TreeMap<>(ORDER);
  private long nextNanos;

  private static final Comparator<Merges.Pair> ORDER =
      Comparator.comparing(Merges.Pair::first).thenComparing(Merges.Pair::second);

  /** A chosen pair. */
  public record Chosen(Merges.Pair pair, String why, double weight) {}

  /**
   * @param mergeable tells whether actors of a table can be merged at all
   */
  public MergeChoice(Clock clock, PlacementSettings settings, Predicate<TableState> mergeable) {
    this.clock = clock;
    this.settings = settings;
    this.mergeable = mergeable;
    this.nextNanos = clock.nanos();
  }

  /** Returns the pair to merge now, if any. */
  public Optional<Chosen> next(ClusterState state, LoadView loads) {
    long now = clock.nanos();
    boolean decides = settings.interval().isPresent() && !state.placementPaused();
    if (!decides || nextNanos - now > 0 || settings.merges().share() == 0) {
      return Optional.empty();
    }
    nextNanos = now + settings.interval().get().toNanos();
    askedAtNanos.values().removeIf(asked -> now - asked > REST.toNanos());
    if (!loads.isComplete(state)) {
      return Optional.empty();
    }
    TreeMap<ActorId, ActorLoad> known = loads.actors(state);
    TreeMap<Merges.Pair, Chosen> cold = new TreeMap<>(ORDER);
    state.tables().values().stream()
        .filter(mergeable)
        .forEach(table -> addCold(table, known, cold));
    coldSinceNanos.keySet().retainAll(cold.keySet());
    cold.keySet().forEach(pair -> coldSinceNanos.putIfAbsent(pair, now));
    Optional<Chosen> chosen =
        cold.values().stream()
            .filter(one -> !askedAtNanos.containsKey(one.pair()))
            .filter(
                one -> now - coldSinceNanos.get(one.pair()) >= settings.merges().after().toNanos())
            .min(Comparator.comparingDouble(Chosen::weight));
    chosen.ifPresent(one -> askedAtNanos.put(one.pair(), now));
    return chosen;
  }

  private void addCold(
      TableState table, Map<ActorId, ActorLoad> known, Map<Merges.Pair, Chosen> cold) {
    Partitioner partitioner = table.definition().partitioner();
    if (partitioner.living() <= partitioner.base().actors()) {
      return;
    }
    TreeSet<Integer> changed = new TreeSet<>();
    for (PartitionChange change : partitioner.history()) {
      changed.add(change.into());
    }
    for (int number : changed) {
      if (!partitioner.has(number)) {
        continue;
      }
      for (int other : partitioner.neighbours(number)) {
        Merges.Pair pair = Merges.Pair.of(table.id(), number, other);
        if (rests(table, number) && rests(table, other)) {
          judge(pair, known).ifPresent(one -> cold.put(pair, one));
        }
      }
    }
  }

  private static boolean rests(TableState table, int number) {
    ActorState actor = table.actors().get(number);
    return actor.reshaping().isEmpty() && actor.move().isEmpty();
  }

  private Optional<Chosen> judge(Merges.Pair pair, Map<ActorId, ActorLoad> known) {
    double bytes = 0;
    double load = 0;
    for (ActorId id : pair.both()) {
      ActorLoad one = known.get(id);
      Usage usage = one == null ? Usage.NONE : one.usage();
      bytes += (double) usage.memoryBytes() + usage.diskBytes();
      load += one == null ? 0 : one.load();
    }
    double size = bytes / settings.splits().bytesMax();
    double work = load / settings.splits().loadMax();
    if (Math.max(size, work) >= settings.merges().share()) {
      return Optional.empty();
    }
    String why =
        String.format(
            Locale.ROOT,
            "for %d min, both together occupied little (%.0f MiB) and kept few threads busy (%.2f)",
            settings.merges().after().toMinutes(),
            bytes / (1 << 20),
            load);
    return Optional.of(new Chosen(pair, why, Math.max(size, work)));
  }
}
