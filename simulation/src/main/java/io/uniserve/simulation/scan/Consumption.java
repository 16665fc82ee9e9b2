package io.uniserve.simulation.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The client of one scan, as a fluid: pieces that are read flow into its buffer, and it consumes at
 * its rate. If the buffer is full, the pieces share this rate fairly: none gets more than another
 * that could use it (max-min). Pages do not flow but arrive whole, at the end of their grant.
 */
final class Consumption {
  /** Below this an amount is rounding. */
  private static final double NOTHING_KB = 1e-6;

  /** The time for which one error of measurement holds. */
  private static final double ERROR_SECONDS = 0.25;

  private final double clientKbPerSecond;
  private final double outputKbPerReading;
  private final double bufferKb;
  private final boolean pages;
  private final double noise;
  private final Random random;
  private final double[] speeds;
  private final List<Piece> reading = new ArrayList<>();

  private double now;
  private double level;
  private double inflow;
  private double outflow;
  private double consumed;
  private double measured;
  private double doneSeconds;
  private double usedSeconds;
  private double error = 1;
  private double errorUntil;

  Consumption(ScanQuery query, ScanSettings settings, double[] speeds, double now, long seed) {
    this.clientKbPerSecond = query.clientKbPerSecond();
    outputKbPerReading = Calibration.outputKbPerSecond(query.selectivity());
    this.bufferKb = settings.bufferKb();
    this.pages = settings.pageSeconds().isPresent();
    // A second has four errors, whose mean has half of the deviation of each.
    this.noise = settings.noise() * Math.sqrt(1 / ERROR_SECONDS);
    this.random = new Random(seed);
    this.speeds = speeds;
    this.now = now;
    errorUntil = now;
  }

  double levelKb() {
    return level;
  }

  double consumedKb() {
    return consumed;
  }

  /**
   * Returns how much reading the client has consumed the results of, as far as measurements show.
   * It counts what was read, not what matched, so that rare matches are no noise.
   */
  double measuredSeconds() {
    return measured;
  }

  double doneSeconds() {
    return doneSeconds;
  }

  boolean isEmpty() {
    return level <= NOTHING_KB;
  }

  void begin(Piece piece) {
    reading.add(piece);
  }

  /** Lets time pass; returns the pieces whose grant is over. */
  List<Piece> advance(double until) {
    double span = until - now;
    for (Piece piece : reading) {
      double read = Math.min(piece.grantSeconds, piece.pace * span);
      piece.grantSeconds -= read;
      piece.leftSeconds -= read;
      doneSeconds += read;
    }
    level = Math.max(0, level + (inflow - outflow) * span);
    consumed += outflow * span;
    List<Piece> over = new ArrayList<>();
    for (Piece piece : reading) {
      if (piece.grantSeconds <= Piece.NOTHING) {
        over.add(piece);
      }
    }
    reading.removeAll(over);
    now = until;
    return over;
  }

  /** Puts a page into the buffer. */
  void arrive(double kb) {
    level += kb;
  }

  /** Adds to the measurement what has been consumed since it was last looked at. */
  void measure() {
    double held = outputKbPerReading > 0 ? level / outputKbPerReading : 0;
    double unread = 0;
    if (pages) {
      for (Piece piece : reading) {
        unread += piece.grantedSeconds - piece.grantSeconds;
      }
    }
    double used = doneSeconds - held - unread;
    if (now >= errorUntil) {
      error = Math.max(0, 1 + noise * random.nextGaussian());
      errorUntil = now + ERROR_SECONDS;
    }
    measured += Math.max(0, used - usedSeconds) * error;
    usedSeconds = Math.max(used, usedSeconds);
  }

  /** Sets the pace of each piece, and the flows, until the next change. */
  void settle() {
    double full = 0;
    for (Piece piece : reading) {
      piece.pace = speeds[piece.server];
      full += piece.outputKbPerSecond * piece.pace;
    }
    if (!pages && level >= bufferKb - NOTHING_KB && full > clientKbPerSecond) {
      throttle();
      full = clientKbPerSecond;
    }
    inflow = pages ? 0 : full;
    outflow = isEmpty() ? Math.min(clientKbPerSecond, inflow) : clientKbPerSecond;
  }

  /** Divides the client's rate: those that put out less than an equal share keep their pace. */
  private void throttle() {
    List<Piece> left = new ArrayList<>(reading);
    left.sort((one, other) -> Double.compare(flow(one), flow(other)));
    double rate = clientKbPerSecond;
    int count = left.size();
    for (Piece piece : left) {
      double share = Math.min(flow(piece), rate / count);
      rate -= share;
      count--;
      if (piece.outputKbPerSecond > 0) {
        piece.pace = share / piece.outputKbPerSecond;
      }
    }
  }

  private static double flow(Piece piece) {
    return piece.outputKbPerSecond * piece.pace;
  }

  /**
   * Returns when something changes by itself: a grant is over, the buffer is full or empty, or has
   * fallen to a level.
   */
  double nextChange(double watchedKb) {
    double next = Double.POSITIVE_INFINITY;
    for (Piece piece : reading) {
      next = Math.min(next, piece.grantSeconds / piece.pace);
    }
    if (inflow > outflow && level < bufferKb - NOTHING_KB) {
      next = Math.min(next, (bufferKb - level) / (inflow - outflow));
    }
    if (outflow > inflow) {
      double target = level > watchedKb + NOTHING_KB ? Math.max(0, watchedKb) : 0;
      next = Math.min(next, (level - target) / (outflow - inflow));
    }
    return now + next;
  }
}
