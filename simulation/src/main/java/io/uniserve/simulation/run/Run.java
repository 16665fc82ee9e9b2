package io.uniserve.simulation.run;

import io.uniserve.simulation.RunSettings;
import io.uniserve.simulation.fault.Fault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Everything that a run follows from, as data: it can be written to a file, changed there, and
 * played again.
 *
 * @param scenario its name
 * @param seed decides what is neither in the settings nor among the faults: the next thread, the
 *     time of each message, the requests of clients
 * @param settings topology, table and workload
 * @param faults the faults of the run
 */
public record Run(String scenario, long seed, RunSettings settings, List<Fault> faults) {
  private static final String SCENARIO = "scenario";
  private static final String SEED = "seed";
  private static final String FAULT = "fault";
  private static final String COMMENT = "#";

  /** Copies the faults. */
  public Run {
    faults = List.copyOf(faults);
  }

  /** Returns the same run with another seed. */
  public Run withSeed(long other) {
    return new Run(scenario, other, settings, faults);
  }

  /** Returns the same run with other faults. */
  public Run withFaults(List<Fault> others) {
    return new Run(scenario, seed, settings, others);
  }

  /** Returns the same run with other settings. */
  public Run withSettings(RunSettings others) {
    return new Run(scenario, seed, others, faults);
  }

  /**
   * Returns the same run with only those faults that begin in time and name only existing
   * processes.
   */
  public Run withFaultsOf(List<String> processes, long lengthNanos) {
    Set<String> known = new HashSet<>(processes);
    return withFaults(
        faults.stream()
            .filter(fault -> fault.atNanos() <= lengthNanos)
            .filter(fault -> known.containsAll(fault.processes()))
            .toList());
  }

  /** Returns text that {@link #read} understands. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append("# A run of the simulator. A fault: kind, at and lasts in nanoseconds since the\n");
    text.append("# faults began, victims, others, measure.\n");
    text.append(SCENARIO).append(' ').append(scenario).append('\n');
    text.append(SEED).append(' ').append(seed).append('\n');
    settings.values().forEach((name, value) -> text.append(name + " " + value + "\n"));
    faults.forEach(fault -> text.append(FAULT + " " + fault.line() + "\n"));
    return text.toString();
  }

  /**
   * Returns the run of a text.
   *
   * @throws IllegalArgumentException that names the line which is not of a run
   */
  public static Run read(String text) {
    RunSettings settings = new RunSettings(new TreeMap<>());
    List<Fault> faults = new ArrayList<>();
    for (String line : text.lines().map(String::strip).toList()) {
      if (line.isEmpty() || line.startsWith(COMMENT)) {
        continue;
      }
      String[] words = line.split("\\s+", 2);
      if (words.length != 2) {
        throw new IllegalArgumentException("a line of a run is a name and a value: " + line);
      }
      if (words[0].equals(FAULT)) {
        faults.add(fault(line, words[1]));
      } else {
        settings.values().put(words[0], words[1]);
      }
    }
    String scenario = settings.word(SCENARIO);
    long seed = Long.parseLong(settings.word(SEED));
    settings.values().keySet().removeAll(List.of(SCENARIO, SEED));
    return new Run(scenario, seed, settings, faults);
  }

  private static Fault fault(String line, String words) {
    try {
      return Fault.read(words);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("in '" + line + "': " + e.getMessage(), e);
    }
  }
}
