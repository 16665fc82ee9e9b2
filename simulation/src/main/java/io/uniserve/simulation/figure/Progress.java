package io.uniserve.simulation.figure;

import java.io.PrintStream;

/** The progress line, which is redrawn on a terminal, and printed now and then elsewhere. */
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
