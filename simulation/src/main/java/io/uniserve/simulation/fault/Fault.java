package io.uniserve.simulation.fault;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A fault that lasts for a while. It is data, so that it can be written down, left out and played
 * again.
 *
 * @param kind the kind of the fault
 * @param atNanos the time, in simulated nanoseconds since the faults began
 * @param lastsNanos the simulated nanoseconds that it lasts
 * @param victims the affected processes; of a cut the sender, of a slow link one end, of a
 *     partition those on one side, of a loss of messages none
 * @param others the receiver of a cut, the other end of a slow link, or those on the other side of
 *     a partition
 * @param measure the share of lost messages, how many times slower, how many seconds off, or the
 *     rate of a clock; 0 where there is none
 */
public record Fault(
    FaultKind kind,
    long atNanos,
    long lastsNanos,
    List<String> victims,
    List<String> others,
    double measure) {
  private static final String NOBODY = "-";
  private static final int WORDS = 6;

  /** Copies the lists. */
  public Fault {
    victims = List.copyOf(victims);
    others = List.copyOf(others);
  }

  /** Returns when it is repaired. */
  long endNanos() {
    return atNanos + lastsNanos;
  }

  /** Returns every process that it names. */
  public List<String> processes() {
    return Stream.concat(victims.stream(), others.stream()).toList();
  }

  /** Returns the same fault with half the duration. */
  public Fault shorter() {
    return new Fault(kind, atNanos, lastsNanos / 2, victims, others, measure);
  }

  /** Returns it as a line that {@link #read} understands. */
  public String line() {
    return "%s %d %d %s %s %s"
        .formatted(kind, atNanos, lastsNanos, names(victims), names(others), measure);
  }

  private static String names(List<String> some) {
    return some.isEmpty() ? NOBODY : String.join(",", some);
  }

  /**
   * Returns the fault of a line.
   *
   * @throws IllegalArgumentException that says what the line lacks
   */
  public static Fault read(String line) {
    String[] words = line.strip().split("\\s+");
    if (words.length != WORDS) {
      throw new IllegalArgumentException(
          "a fault has " + WORDS + " words (kind, at, lasts, victims, others, measure): " + line);
    }
    return new Fault(
        FaultKind.valueOf(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        names(words[3]),
        names(words[4]),
        Double.parseDouble(words[5]));
  }

  private static List<String> names(String word) {
    return word.equals(NOBODY) ? List.of() : Arrays.asList(word.split(","));
  }
}
