package io.uniserve.simulation.figure;

import java.io.PrintStream;

/** What has been done: one line that is redrawn on a terminal, now and then a line elsewhere. */
final class Progress {
  private static final long NANOS_BETWEEN_LINES = 10_000_000_000L;

  private final PrintStream out;
  private final boolean terminal = System.console() != null && System.console().isTerminal();
  private long lastLine = System.nanoTime();

  Progress(PrintStream out) {
    this.out = out;
  }

  void show(String step) {
    if (terminal) {
      out.print("\r\u001b[K  " + step);
      out.flush();
    } else if (System.nanoTime() - lastLine > NANOS_BETWEEN_LINES) {
      lastLine = System.nanoTime();
      out.println("  " + step);
    }
  }

  void clear() {
    if (terminal) {
      out.print("\r\u001b[K");
      out.flush();
    }
  }
}
