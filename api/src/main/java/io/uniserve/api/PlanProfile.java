package io.uniserve.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What one query took, as the runtime measured it: for those who want to know where its time went.
 *
 * @param runs how often it was begun: more than once if a server was lost
 * @param elapsed from its begin to its answer
 * @param stages of the run that gave the answer, in order; the last is the retrieve, or stores what
 *     is kept
 */
public record PlanProfile(int runs, Duration elapsed, List<StageProfile> stages) {
  private static final double NANOS_PER_MILLI = 1e6;

  /** Copies the list. */
  public PlanProfile {
    stages = List.copyOf(stages);
  }

  /**
   * What one stage took.
   *
   * @param number of the stage
   * @param what it did
   * @param operator that ran; none stores what is kept
   * @param begin after the query's
   * @param elapsed from its begin to its end
   * @param tasks in order
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
   * What one task took.
   *
   * @param on what it ran: an actor, datasets, or a part of the attributes
   * @param server where
   * @param attempts how often it was tried
   * @param elapsed on its worker thread
   * @param cpu of it
   * @param cost in the engine's unit, or CPU microseconds
   * @param rows that the operator says it gave
   * @param chunks that it read or made
   * @param bytes of these
   * @param datasets that it made
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

  /** As text: a line for each stage, and one for each of its tasks. */
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
