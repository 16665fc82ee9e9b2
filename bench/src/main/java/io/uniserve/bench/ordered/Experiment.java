package io.uniserve.bench.ordered;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** An experiment of the paper. */
interface Experiment {
  /** Returns the name by which it is chosen, and of its section, such as {@code 8}. */
  String name();

  /** Runs it. */
  Result run(Conditions conditions);

  /**
   * The conditions of a run.
   *
   * @param directory the directory for files
   * @param quick true for a smoke run
   */
  record Conditions(Path directory, boolean quick) {
    /** Returns the time of one measurement, and of what precedes it. */
    Duration time() {
      return quick ? Duration.ofMillis(500) : Duration.ofSeconds(4);
    }

    /** Returns how long a second of a trace takes, in seconds. */
    double pace() {
      return quick ? 0.25 : 1;
    }

    /** Returns some numbers of processes: all, or the smallest and the greatest. */
    List<Integer> some(List<Integer> processes) {
      return quick ? List.of(processes.getFirst(), processes.get(2)) : processes;
    }

    Conditions in(String name) {
      return new Conditions(directory.resolve(name), quick);
    }
  }

  /**
   * The outcome of a run.
   *
   * @param conditions the conditions of the measurement, in a sentence
   * @param findings the claims that it tries
   * @param plots charts as SVG, by the names of their files
   */
  record Result(String conditions, List<Finding> findings, Map<String, String> plots) {}
}
