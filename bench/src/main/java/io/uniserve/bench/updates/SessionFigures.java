package io.uniserve.bench.updates;

import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.measure.Statistics;
import io.uniserve.bench.report.Figures;
import io.uniserve.bench.report.Table;
import io.uniserve.runtime.client.UniserveClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** The rates and latencies of sessions of an ordered table, beside the aims for them. */
final class SessionFigures {
  private static final int MANY_SESSIONS = 1_024;
  private static final int WINDOW = 4_096;
  private static final int LARGE_VALUE = 1_024;
  private static final double PEAK_AIM = 20_000;
  private static final double PACED = 5_000;
  private static final double NEAR_PEAK = 0.95;
  private static final double PACED_MILLIS_AIM = 2;
  private static final double NEAR_PEAK_MILLIS_AIM = 10;
  private static final double SAME = 0.9;

  /** The most windows of warm-up. */
  private static final int WARM_UPS_MAX = 10;

  /** The greatest gain over the window before at which the processes count as warm. */
  private static final double STEADY_GAIN = 1.05;

  private final UniserveClient client;
  private final PutTable table;
  private final Duration time;
  private final int rounds;

  /**
   * @param table the ordered table
   * @param time the length of one measurement
   * @param rounds the number of measurements of each kind, which take turns
   */
  SessionFigures(UniserveClient client, PutTable table, Duration time, int rounds) {
    this.client = client;
    this.table = table;
    this.time = time;
    this.rounds = rounds;
  }

  private SessionStream stream(int sessions, int valueLength, OptionalDouble perSecond) {
    return new SessionStream(
        client, table, sessions, WINDOW / sessions, "v".repeat(valueLength), perSecond);
  }

  /** Measures, and returns a table of the figures. */
  String measure() {
    SessionStream one = stream(1, PutTable.VALUE_LENGTH, OptionalDouble.empty());
    SessionStream large = stream(1, LARGE_VALUE, OptionalDouble.empty());
    SessionStream many = stream(MANY_SESSIONS, PutTable.VALUE_LENGTH, OptionalDouble.empty());
    warmUp(one);
    List<SessionStream.Measured> ofOne = new ArrayList<>();
    List<SessionStream.Measured> ofLarge = new ArrayList<>();
    List<SessionStream.Measured> ofMany = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      ofOne.add(one.run(time));
      ofLarge.add(large.run(time));
      ofMany.add(many.run(time));
    }
    double peak = spread(ofOne, SessionStream.Measured::perSecond).median();
    SessionStream paced = stream(1, PutTable.VALUE_LENGTH, OptionalDouble.of(PACED));
    SessionStream near = stream(1, PutTable.VALUE_LENGTH, OptionalDouble.of(NEAR_PEAK * peak));
    List<SessionStream.Measured> ofPaced = new ArrayList<>();
    List<SessionStream.Measured> ofNear = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      ofPaced.add(paced.run(time));
      ofNear.add(near.run(time));
    }
    Table figures = new Table("sessions", "measured", "aim", "holds");
    rate(figures, "one session, updates of one actor each, per second", ofOne, PEAK_AIM);
    latency(figures, "stable at 5,000/s", ofPaced, PACED_MILLIS_AIM);
    latency(figures, "stable at 95 % of the peak", ofNear, NEAR_PEAK_MILLIS_AIM);
    rate(figures, "values of 1 KB, per second", ofLarge, SAME * peak);
    rate(figures, "1,024 sessions at once, per second", ofMany, SAME * peak);
    return figures.toString();
  }

  /**
   * Runs until the processes have compiled their code, so that a window is no faster than another.
   */
  private void warmUp(SessionStream stream) {
    double best = 0;
    for (int i = 0; i < WARM_UPS_MAX; i++) {
      double rate = stream.run(time).perSecond();
      if (i > 1 && rate < best * STEADY_GAIN) {
        return;
      }
      best = Math.max(best, rate);
    }
  }

  private static Spread spread(
      List<SessionStream.Measured> all, ToDoubleFunction<SessionStream.Measured> value) {
    return Statistics.spread(all.stream().map(value::applyAsDouble).toList());
  }

  private static void rate(
      Table figures, String name, List<SessionStream.Measured> all, double aim) {
    Spread spread = spread(all, SessionStream.Measured::perSecond);
    figures.add(
        name,
        Figures.spread(spread),
        "at least " + Figures.number(aim),
        spread.median() >= aim ? "yes" : "no");
  }

  private static void latency(
      Table figures, String name, List<SessionStream.Measured> all, double aimMillis) {
    Spread median = spread(all, one -> one.stableMillis(0.5));
    Spread late = spread(all, one -> one.stableMillis(0.99));
    figures.add(
        name,
        "p50 %s ms, p99 %s ms, at %s/s"
            .formatted(
                Figures.spread(median),
                Figures.spread(late),
                Figures.number(spread(all, SessionStream.Measured::perSecond).median())),
        "p50 below %s ms".formatted(Figures.number(aimMillis)),
        median.median() < aimMillis ? "yes" : "no");
  }
}
