package io.uniserve.node.text;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The progress of a long task: a bar, the work done, the rate and the remaining time. On a terminal
 * it is one line that is redrawn; elsewhere a new line every ten seconds.
 */
public final class ProgressLine implements AutoCloseable {
  private static final int WIDTH = 28;
  private static final String EIGHTHS = " ▏▎▍▌▋▊▉";

  private final PrintStream out;
  private final Style style;
  private final String noun;
  private final long total;
  private final LongSupplier done;
  private final LongSupplier count;
  private final long started = System.nanoTime();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("progress").factory());

  /**
   * Begins to show progress.
   *
   * @param noun the noun for what is counted, for instance {@code records}
   * @param total returns the size of the work, in any unit
   * @param done returns how much of it is done
   * @param count returns how many things that is
   */
  public ProgressLine(
      PrintStream out,
      Style style,
      String noun,
      long total,
      LongSupplier done,
      LongSupplier count) {
    this.out = out;
    this.style = style;
    this.noun = noun;
    this.total = Math.max(1, total);
    this.done = done;
    this.count = count;
    long millis = style.coloured() ? 100 : 10_000;
    timer.scheduleAtFixedRate(this::show, millis, millis, TimeUnit.MILLISECONDS);
  }

  private void show() {
    if (style.coloured()) {
      out.print("\r\u001b[K" + line());
    } else {
      out.println(line());
    }
    out.flush();
  }

  private String line() {
    double share = Math.min(1, done.getAsLong() / (double) total);
    double seconds = (System.nanoTime() - started) / 1e9;
    double rate = count.getAsLong() / Math.max(1e-3, seconds);
    String left =
        share >= 1 || share < 0.005
            ? ""
            : "  "
                + Figures.duration(Duration.ofMillis((long) (seconds * 1e3 * (1 - share) / share)))
                + " left";
    return String.format(
        Locale.ROOT,
        "  %s %3.0f %%  %s %s  %s/s%s",
        style.coloured() ? style.cool(bar(share)) : "",
        share * 100,
        Figures.count(count.getAsLong()),
        noun,
        Figures.count(Math.round(rate)),
        style.faint(left));
  }

  private static String bar(double share) {
    int eighths = (int) Math.round(share * WIDTH * 8);
    String full = "█".repeat(eighths / 8);
    String rest = eighths % 8 == 0 ? "" : EIGHTHS.substring(eighths % 8, eighths % 8 + 1);
    return full + rest + "·".repeat(WIDTH - full.length() - rest.length());
  }

  /** Returns how long it has taken so far. */
  public Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - started);
  }

  /** Removes the line from the terminal. */
  @Override
  public void close() {
    timer.shutdownNow();
    if (style.coloured()) {
      out.print("\r\u001b[K");
      out.flush();
    }
  }
}
