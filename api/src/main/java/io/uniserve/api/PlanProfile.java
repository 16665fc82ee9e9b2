package io.uniserve.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The measurements of one query, which show where its time went.
 *
 * @param runs the number of times that it was begun; more than one if a server was lost
 * @param elapsed the time from its begin to its answer
 * @param stages the stages of the run that gave the answer, in order; the last one retrieves, or
 *     stores a kept table
 */
public record PlanProfile(int runs, Duration elapsed, List<StageProfile> stages) {
  private static final double NANOS_PER_MILLI = 1e6;

  /** Copies the list. */
  public PlanProfile {
    stages = List.copyOf(stages);
  }

  /**
   * The measurements of one stage.
   *
   * @param number the number of the stage
   * @param what a description of its work
   * @param operator the operator that ran; empty for the stage that stores a kept table
   * @param begin its begin, after that of the query
   * @param elapsed the time from its begin to its end
   * @param tasks its tasks, in order
   */
  public record StageProfile(
      int number,
      String what,
      Optional<Operator> operator,
      Duration begin,
      Duration elapsed,
      List<TaskProfile> tasks) {
    /** Copies the list. */
    public StageProfile {
      tasks = List.copyOf(tasks);
    }
  }

  /**
   * The measurements of one task.
   *
   * @param on its input: an actor, datasets, or a part of the attributes
   * @param server the server that ran it
   * @param attempts the number of attempts
   * @param elapsed the time on its worker thread
   * @param cpu the CPU time
   * @param cost the cost in the engine's unit, or in CPU microseconds
   * @param rows the number of rows that the operator reported
   * @param chunks the number of chunks that it read or made
   * @param bytes the size of these chunks
   * @param datasets the number of datasets that it made
   */
  public record TaskProfile(
      String on,
      String server,
      int attempts,
      Duration elapsed,
      Duration cpu,
      double cost,
      long rows,
      long chunks,
      long bytes,
      int datasets) {}

  /** Formats the profile: a line for each stage, and one for each of its tasks. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append("%.1f ms".formatted(millis(elapsed)));
    text.append(runs == 1 ? "\n" : ", begun %d times\n".formatted(runs));
    for (StageProfile stage : stages) {
      text.append(
          "%d  %s: %.1f ms from %.1f ms on\n"
              .formatted(
                  stage.number(), stage.what(), millis(stage.elapsed()), millis(stage.begin())));
      stage.tasks().forEach(task -> text.append(line(task)));
    }
    return text.toString();
  }

  private static String line(TaskProfile task) {
    return "     %s on %s: %.1f ms, %.1f ms CPU, cost %.0f%s%s%s%s\n"
        .formatted(
            task.on(),
            task.server(),
            millis(task.elapsed()),
            millis(task.cpu()),
            task.cost(),
            task.rows() == 0 ? "" : ", %d rows".formatted(task.rows()),
            task.chunks() == 0
                ? ""
                : ", %d chunks of %d bytes".formatted(task.chunks(), task.bytes()),
            task.datasets() == 0 ? "" : ", %d datasets".formatted(task.datasets()),
            task.attempts() == 1 ? "" : ", %d attempts".formatted(task.attempts()));
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / NANOS_PER_MILLI;
  }
}
