package io.uniserve.bench.ordered;

import io.uniserve.api.error.UniserveException;
import io.uniserve.simulation.plot.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;

/** The operations of a run, each with the moment of its end. Safe for use by many threads. */
final class Trace {
  /** Points of a chart for each second; all would be a large file. */
  private static final double SHOWN_A_SECOND = 5;

  private static final double LEAST_MILLIS = 0.1;

  /**
   * An operation that has ended.
   *
   * @param second the moment, in seconds since the trace began
   * @param millis its duration
   */
  record Ended(double second, double millis) {}

  private final long beganNanos = System.nanoTime();
  private final Queue<Ended> ended = new ConcurrentLinkedQueue<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();

  /** Returns the time since the trace began, in seconds. */
  double second() {
    return (System.nanoTime() - beganNanos) / 1e9;
  }

  /** Waits for a moment of the trace. */
  void await(double second) {
    long left = (long) ((second - second()) * 1e9);
    try {
      if (left > 0) {
        TimeUnit.NANOSECONDS.sleep(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UniserveException.of(e);
    }
  }

  /** Does an operation, which may fail. */
  void time(Runnable operation) {
    double began = second();
    try {
      operation.run();
      end(began);
    } catch (UniserveException e) {
      failures.add(e.code() + " " + e.getMessage());
    }
  }

  /** Notes the end of an operation that began at a moment. */
  void end(double began) {
    double now = second();
    ended.add(new Ended(now, (now - began) * 1e3));
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  private DoubleStream millis(double from, double to) {
    return ended.stream()
        .filter(one -> one.second() >= from && one.second() < to)
        .mapToDouble(Ended::millis);
  }

  /** Returns the operations a second that ended between two moments. */
  double rate(double from, double to) {
    return millis(from, to).count() / (to - from);
  }

  /** Returns a share of the durations between two moments, in milliseconds, from 0 to 1. */
  double millis(double from, double to, double share) {
    double[] sorted = millis(from, to).sorted().toArray();
    return sorted.length == 0
        ? Double.NaN
        : sorted[(int) Math.min(sorted.length - 1, sorted.length * share)];
  }

  /** Returns the longest time between two moments in which nothing ended, in seconds. */
  double longestPause(double from, double to) {
    double[] ends =
        DoubleStream.concat(
                DoubleStream.of(from, to),
                ended.stream().mapToDouble(Ended::second).filter(end -> end > from && end < to))
            .sorted()
            .toArray();
    double longest = 0;
    for (int i = 1; i < ends.length; i++) {
      longest = Math.max(longest, ends[i] - ends[i - 1]);
    }
    return longest;
  }

  /** Returns the operations of each second until a moment. */
  Series throughput(String name, double end) {
    List<Series.Point> points = new ArrayList<>();
    for (int second = 0; second + 1 <= end; second++) {
      points.add(Series.Point.of(second, rate(second, second + 1)));
    }
    return new Series(name, Series.Form.CURVE, points);
  }

  /** Returns the longest duration of each fifth of a second until a moment. */
  Series durations(String name, double end) {
    List<Series.Point> points = new ArrayList<>();
    for (double second = 0; second < end; second += 1 / SHOWN_A_SECOND) {
      double longest = millis(second, second + 1 / SHOWN_A_SECOND, 1);
      if (!Double.isNaN(longest)) {
        points.add(Series.Point.of(second, Math.max(LEAST_MILLIS, longest)));
      }
    }
    return new Series(name, Series.Form.POINTS, points);
  }
}
