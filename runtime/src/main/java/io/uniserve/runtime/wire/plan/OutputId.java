package io.uniserve.runtime.wire.plan;

/**
 * The name of the output of one attempt at a task, within its run.
 *
 * @param stage the stage
 * @param task the task
 * @param attempt the number of the attempt
 */
public record OutputId(int stage, int task, int attempt) implements Comparable<OutputId> {
  @Override
  public int compareTo(OutputId other) {
    int byStage = Integer.compare(stage, other.stage);
    int byTask = Integer.compare(task, other.task);
    if (byStage != 0) {
      return byStage;
    }
    return byTask != 0 ? byTask : Integer.compare(attempt, other.attempt);
  }

  @Override
  public String toString() {
    return stage + "." + task + "." + attempt;
  }
}
