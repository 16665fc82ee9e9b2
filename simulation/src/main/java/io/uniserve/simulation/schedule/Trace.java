package io.uniserve.simulation.schedule;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** The events, as a hash of everything and the text of the latest. */
public final class Trace {
  private static final int LATEST_MAX = 60;

  private final Deque<String> latest = new ArrayDeque<>();
  private Consumer<String> listener = line -> {};
  private long hash = 0xcbf29ce484222325L;

  void step(long nanos, int ordinal) {
    mix(nanos);
    mix(ordinal);
  }

  void event(long nanos, String text) {
    mix(nanos);
    mix(text.hashCode());
    String line = "%12.6f %s".formatted(nanos / 1e9, text);
    latest.addLast(line);
    if (latest.size() > LATEST_MAX) {
      latest.removeFirst();
    }
    listener.accept(line);
  }

  private void mix(long value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15L;
    hash ^= hash >>> 32;
  }

  /**
   * Returns a hash that is equal for two runs only if the same steps happened at the same times.
   */
  public long hash() {
    return hash;
  }

  /** Returns the latest events, oldest first. */
  public List<String> latest() {
    return new ArrayList<>(latest);
  }

  /** Receives each event from now on, as it happens. */
  public void listen(Consumer<String> newListener) {
    listener = newListener;
  }
}
