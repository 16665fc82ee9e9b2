package io.uniserve.policy.scanning;

import io.uniserve.policy.placement.search.SeededRandom;
import io.uniserve.policy.scanning.Phase.Asking;
import io.uniserve.policy.scanning.Phase.Measuring;
import io.uniserve.policy.scanning.Phase.Probing;
import io.uniserve.policy.scanning.Phase.Resting;
import io.uniserve.policy.scanning.Phase.Settling;

/**
 * Adaptive server allocation (PNUTS §3): the state of the search for the fewest slots that keep a
 * scan's client busy. It is a pure state machine. Whoever runs the scan gives it an {@link
 * Observation} at {@link #wakeSeconds}, whenever the scan has got a slot or given one back, and
 * once slots were asked for after a change of {@link #desired}.
 *
 * <p><b>Matched rates.</b> A client that asks for each page shows how long it works on it. Its rate
 * over that of a slot is the number of slots that it can use ({@link Pace}). Where this is known,
 * the search goes there: up by doubling, as long as the rate grows by a quarter of what the slots
 * should bring; down at once, since what is known to be too much brings nothing. If the rate does
 * not grow, something else is in the way, and coins decide as below. Where slots are denied, the
 * scan goes on to desire what it could use.
 *
 * <p><b>Algorithm 1</b>, where nothing but the rate is known. Start with one slot. Measure the rate
 * at which the client consumes, ask for one more, and so on while the rate grows. Then flip a coin
 * now and then: try one more, or one less; keep it if the rate grows, or does not fall; go on in
 * this direction until it fails.
 *
 * <p><b>Where the paper is open</b>, or would not settle:
 *
 * <ul>
 *   <li>Rates are noisy. A rate is greater if it exceeds the best recent one by a margin of a
 *       twentieth; beyond ten slots, by half of what the slot would bring at most. Against the best
 *       recent rate, many small losses do not add up.
 *   <li>The start ends one too high, so it steps back.
 *   <li>The baseline is measured again before each probe.
 *   <li>A probe that fails costs something: one slot less of two is half of the rate. After each,
 *       the coin rests twice as long, until a probe succeeds or the baseline has changed.
 *   <li>A probe whose slot does not come is given up and says nothing. Nor does a rate say anything
 *       that was measured while slots were denied. The start goes on until a rate has said
 *       something.
 *   <li>The result is within 1, the partitions left and the slots in reach. Once no partition
 *       waits, or only few measurements remain, it is frozen.
 *   <li>The time of a measurement follows from the time that is left, so that a scan of a second
 *       adapts, too.
 * </ul>
 *
 * <p><b>Example.</b> A server gives 250 KB/s, the client takes 1,000 KB/s. After 1, 2, 3, 4 and 5
 * slots 250, 500, 750, 1,000 and 1,000 KB/s are seen: 5 is no gain, so 4 is kept.
 */
public final class Allocation {
  /** The probe of one more slot. */
  private static final int UP = 1;

  /** The probe of one less. */
  private static final int DOWN = -1;

  /** The measurements that must have room before the end, so that a probe is worth its while. */
  private static final int MEASURES_BEFORE_END = 3;

  /** The measurements after which a rate is not recent any more. */
  private static final int RECENT = 20;

  /** The measurements over which paces are compared at least. */
  private static final int PACED = 4;

  /** The part of what more slots should bring that has to be seen. */
  private static final double GAIN_SEEN = 0.25;

  private final AllocationSettings settings;
  private final long seed;
  private final double began;
  private final boolean starting;
  private final int kept;
  private final int most;
  private final Phase phase;
  private final double measureSeconds;
  private final RecentRates recent;
  private final long flips;
  private final int restMeasures;
  private final Demand demand;

  private Allocation(
      AllocationSettings settings,
      long seed,
      double began,
      boolean starting,
      int kept,
      int most,
      Phase phase,
      double measureSeconds,
      RecentRates recent,
      long flips,
      int restMeasures,
      Demand demand) {
    this.settings = settings;
    this.seed = seed;
    this.began = began;
    this.starting = starting;
    this.kept = kept;
    this.most = most;
    this.phase = phase;
    this.measureSeconds = measureSeconds;
    this.recent = recent;
    this.flips = flips;
    this.restMeasures = restMeasures;
    this.demand = demand;
  }

  /**
   * Returns the state of a scan that begins.
   *
   * @param seed the seed of its coins
   * @param seconds the time now, as in observations
   */
  public static Allocation start(AllocationSettings settings, long seed, double seconds) {
    return new Allocation(
        settings,
        seed,
        seconds,
        true,
        1,
        1,
        new Settling(UP),
        settings.measureSecondsMin(),
        RecentRates.NONE,
        0,
        1,
        Demand.from(seconds));
  }

  /** Returns the number of slots that the scan should ask for, at least 1. */
  public int desired() {
    int step =
        switch (phase) {
          case Resting _, Settling _, Measuring _ -> 0;
          case Asking asking -> asking.step();
          case Probing probing -> probing.step();
        };
    return Math.clamp(kept + step, 1, most);
  }

  /**
   * Returns when the next observation is due at the latest; infinite if only slots are waited for.
   */
  public double wakeSeconds() {
    return switch (phase) {
      case Resting resting -> resting.until();
      case Settling _ -> Double.POSITIVE_INFINITY;
      case Measuring measuring -> measuring.window().seconds() + measureSeconds;
      case Asking asking -> asking.since() + settings.patience() * measureSeconds;
      case Probing probing -> probing.window().seconds() + measureSeconds;
    };
  }

  /** Returns the state after an observation. */
  public Allocation observe(Observation now) {
    int bound = Math.max(1, Math.min(now.partitionsLeft(), now.reach()));
    double measure = measureSeconds(now);
    Allocation next = with(bound, measure, demand.at(now, PACED * measure));
    return switch (phase) {
      case Resting resting -> now.seconds() < resting.until() ? next : next.flip(now);
      case Settling settling -> next.settled(settling, now);
      case Measuring measuring ->
          next.isOver(measuring.window(), now)
              ? next.measured(measuring.step(), measuring.window(), now)
              : next;
      case Asking asking -> next.asked(asking, now);
      case Probing probing -> next.isOver(probing.window(), now) ? next.probed(probing, now) : next;
    };
  }

  private Allocation settled(Settling settling, Observation now) {
    if (now.denied() > 0 && settling.step() > 0 && isMatched(now)) {
      return to(new Asking(settling.step(), now.seconds(), new Seen(recent.last(), Double.NaN)));
    }
    return now.denied() > 0 || now.held() > kept
        ? this
        : to(new Measuring(settling.step(), Window.at(now)));
  }

  private boolean isOver(Window window, Observation now) {
    return hasPassed(measureSeconds, window.seconds(), now);
  }

  /** Returns whether a span is over. One that ends now must not fail by rounding. */
  private static boolean hasPassed(double span, double since, Observation now) {
    return now.seconds() - since >= span * (1 - 1e-9);
  }

  private Allocation flip(Observation now) {
    int step = step(now);
    Allocation next = flipped();
    if (isKnownToSpare(step, now)) {
      return next.keep(kept + step).rest(now);
    }
    return step != 0 && isWorthwhile(step, now)
        ? next.to(new Settling(step)).observe(now)
        : next.rest(now);
  }

  /** Returns by how many slots the next probe differs; 0 if there is none. */
  private int step(Observation now) {
    double slots = demand.slots(now);
    if (Double.isNaN(slots)) {
      return starting ? UP : coin();
    }
    if (slots * (1 - settings.margin()) > kept) {
      int wanted = (int) Math.ceil(Math.min(slots * (1 - settings.margin()), 2.0 * kept));
      return isHindered() ? coin() : Math.max(1, Math.min(wanted, most) - kept);
    }
    return Math.min(0, spared(slots));
  }

  /** Returns the slots, as a number below 0, that a client of some demand does not need. */
  private int spared(double slots) {
    return (int) Math.ceil(Math.max(1, slots * (1 + settings.margin()))) - kept;
  }

  /** Returns whether more slots have not brought what the client could have used. */
  private boolean isHindered() {
    return restMeasures > 1;
  }

  private boolean isKnownToSpare(int step, Observation now) {
    double slots = demand.slots(now);
    return step < 0 && !Double.isNaN(slots) && spared(slots) <= step;
  }

  private int coin() {
    double coin = (SeededRandom.rank(seed, flips) >>> 11) * 0x1p-53;
    return coin < settings.up() ? UP : coin < settings.up() + settings.down() ? DOWN : 0;
  }

  private boolean isWorthwhile(int step, Observation now) {
    int wanted = kept + step;
    return wanted >= 1 && wanted <= most && !isFrozen(now);
  }

  /** Returns whether no partition waits, or too little is left to measure. */
  private boolean isFrozen(Observation now) {
    return now.partitionsLeft() <= kept || secondsLeft(now) < MEASURES_BEFORE_END * measureSeconds;
  }

  private Allocation measured(int step, Window window, Observation now) {
    Seen seen = window.seen(now);
    if (window.contended(now)) {
      return isMatched(now) ? further(step, seen, now) : rest(now);
    }
    double before = recent.last();
    boolean changed = Math.abs(seen.rate() - before) > 2 * settings.margin() * before;
    return noted(seen, now).resting(changed ? 1 : restMeasures).further(step, seen, now);
  }

  /** Returns whether it is known how many slots the client can use. */
  private boolean isMatched(Observation now) {
    return !Double.isNaN(demand.slots(now));
  }

  /** Goes on from rates that were measured, by a step that is newly chosen if it can be. */
  private Allocation further(int step, Seen seen, Observation now) {
    int next = isMatched(now) && !isHindered() ? step(now) : step;
    if (isKnownToSpare(next, now)) {
      return keep(kept + next).rest(now);
    }
    return next == 0 ? rest(now) : probe(next, seen, now);
  }

  private Allocation probe(int step, Seen before, Observation now) {
    if (isWorthwhile(step, now)) {
      return to(new Asking(step, now.seconds(), before));
    }
    return rest(now);
  }

  private Allocation asked(Asking asking, Observation now) {
    int wanted = kept + asking.step();
    boolean there = asking.step() > 0 ? now.denied() == 0 : now.held() <= wanted;
    if (there) {
      return to(new Probing(asking.step(), Window.at(now), asking.before()));
    }
    boolean overdue = hasPassed(settings.patience() * measureSeconds, asking.since(), now);
    if (overdue && asking.step() > 0 && isMatched(now)) {
      return keep(wanted).rest(now);
    }
    return overdue || isFrozen(now) ? rest(now) : this;
  }

  private Allocation probed(Probing probing, Observation now) {
    if (isFrozen(now)) {
      return rest(now);
    }
    int step = probing.step();
    if (probing.window().contended(now)) {
      return step > 0 && isMatched(now) ? keep(kept + step).rest(now) : rest(now);
    }
    Seen seen = probing.window().seen(now);
    boolean paced = step > 0 && demand.slots(now) > kept;
    if (paced && Double.isNaN(seen.slotRate() / probing.before().slotRate())) {
      return rest(now);
    }
    Allocation next = noted(seen, now);
    if (!(paced ? brings(probing, seen) : keeps(probing, seen.rate()))) {
      return next.started().failed(now);
    }
    // One less that is enough does not mean that more would help again.
    int rests = step > 0 || !isMatched(now) ? 1 : restMeasures;
    return next.keep(kept + step).resting(rests).further(step, seen, now);
  }

  /** Returns whether servers have given a part of what more slots should have brought. */
  private boolean brings(Probing probing, Seen seen) {
    double slots = kept + probing.step();
    double gain = slots * seen.slotRate() / (kept * probing.before().slotRate()) - 1;
    return gain > GAIN_SEEN * probing.step() / kept;
  }

  /** Returns whether the client's rate has shown that a probe's number of slots is the better. */
  private boolean keeps(Probing probing, double rate) {
    double best = Math.max(recent.best(), probing.before().rate());
    double margin = Math.min(settings.margin(), 0.5 / kept);
    return probing.step() > 0 ? rate > best * (1 + margin) : rate >= best * (1 - margin);
  }

  private double measureSeconds(Observation now) {
    return Math.clamp(
        secondsLeft(now) / settings.measuresLeft(),
        settings.measureSecondsMin(),
        settings.measureSecondsMax());
  }

  /**
   * Returns how long the rest takes at the present pace, or at the mean pace if that is higher, or
   * at the pace of as many slots as the client can use. As long as nothing is known to be done, as
   * long as the scan has taken for each measurement.
   */
  private double secondsLeft(Observation now) {
    double elapsed = now.seconds() - began;
    double pace = elapsed > 0 ? now.doneShare() / elapsed : 0;
    double present =
        switch (phase) {
          case Measuring measuring -> measuring.window().pace(now);
          case Probing probing -> probing.window().pace(now);
          case Resting _, Settling _, Asking _ -> 0;
        };
    double slots = demand.slots(now);
    double faster = slots > kept ? Math.min(slots, most) / kept : 1;
    double greater = Math.max(pace, present) * Math.max(1, faster);
    return greater > 0 ? (1 - now.doneShare()) / greater : elapsed * settings.measuresLeft();
  }

  private Allocation rest(Observation now) {
    return to(new Resting(now.seconds() + measureSeconds));
  }

  /** Rests after a probe that has failed, twice as long as after the one before. */
  private Allocation failed(Observation now) {
    return to(new Resting(now.seconds() + restMeasures * measureSeconds))
        .resting(Math.min(settings.restMax(), 2 * restMeasures));
  }

  private Allocation resting(int measures) {
    return new Allocation(
        settings,
        seed,
        began,
        starting,
        kept,
        most,
        phase,
        measureSeconds,
        recent,
        flips,
        measures,
        demand);
  }

  private Allocation noted(Seen seen, Observation now) {
    return copy(
        starting,
        kept,
        phase,
        recent.with(
            new RecentRates.Measured(now.seconds(), seen.rate()),
            now.seconds() - RECENT * measureSeconds),
        flips);
  }

  private Allocation keep(int slots) {
    return copy(starting, slots, phase, recent, flips);
  }

  private Allocation started() {
    return copy(false, kept, phase, recent, flips);
  }

  private Allocation flipped() {
    return copy(starting, kept, phase, recent, flips + 1);
  }

  private Allocation to(Phase next) {
    return copy(starting, kept, next, recent, flips);
  }

  private Allocation copy(boolean starts, int slots, Phase next, RecentRates rates, long coins) {
    return new Allocation(
        settings,
        seed,
        began,
        starts,
        slots,
        most,
        next,
        measureSeconds,
        rates,
        coins,
        restMeasures,
        demand);
  }

  private Allocation with(int bound, double measure, Demand paces) {
    return new Allocation(
        settings,
        seed,
        began,
        starting,
        kept,
        bound,
        phase,
        measure,
        recent,
        flips,
        restMeasures,
        paces);
  }
}
