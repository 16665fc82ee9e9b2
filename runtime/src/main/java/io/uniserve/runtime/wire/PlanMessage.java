package io.uniserve.runtime.wire;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.plan.OutputId;
import io.uniserve.runtime.wire.plan.Task;
import io.uniserve.runtime.wire.plan.TaskFigures;
import io.uniserve.runtime.wire.plan.Work;
import java.nio.ByteBuffer;
import java.util.List;

/** The messages of plans of map, scatter and gather (DPA §3.3). */
public sealed interface PlanMessage extends Message {

  /**
   * A request to a server to keep the outputs of a run's tasks. Answered by {@link RunOpened}; then
   * the call stays open, and its end is the end of the run.
   *
   * @param run a name that no other run has
   */
  @Name("OpenRun")
  record OpenRun(String run) implements PlanMessage {}

  /** The answer that the run is open. */
  @Name("RunOpened")
  record RunOpened() implements PlanMessage {}

  /**
   * A request to a server to run tasks of an open run. Answered, for each task, by any number of
   * {@link TaskValues} and one {@link TaskDone}, or by {@link TaskFailed}; the call ends after all
   * have.
   *
   * @param run the run
   * @param stage the stage
   * @param work the work that its tasks do
   * @param tasks some of them
   */
  @Name("RunTasks")
  record RunTasks(String run, int stage, Work work, List<Task> tasks) implements PlanMessage {}

  /**
   * Retrieved values.
   *
   * @param task the task
   * @param dataset the number of the dataset that they are of
   * @param values the values, in the order in which the operator put them
   */
  @Name("TaskValues")
  record TaskValues(int task, int dataset, List<Payload> values) implements PlanMessage {}

  /**
   * The success of a task, whose output is kept.
   *
   * @param task the task
   * @param figures the time, bytes and cost that it took
   * @param parts the parts that a scatter made chunks of, ascending
   */
  @Name("TaskDone")
  record TaskDone(int task, TaskFigures figures, List<PartSize> parts) implements PlanMessage {}

  /**
   * The size of one part of a scatter task's output.
   *
   * @param part the part
   * @param bytes the bytes of its chunks, with an overhead for each
   */
  record PartSize(int part, long bytes) {}

  /**
   * The failure of a task. Nothing of it is kept, and its earlier values are void.
   *
   * @param task the task
   * @param code the code of the failure
   * @param message the failure
   * @param inputLost true if its input, made by its own run, is not available any more
   */
  @Name("TaskFailed")
  record TaskFailed(int task, ErrorCode code, String message, boolean inputLost)
      implements PlanMessage {}

  /**
   * A request for scattered chunks. Answered by {@link FetchedChunks}.
   *
   * @param run the run
   * @param output the output of a scatter task
   * @param part the part
   * @param place the place where the page begins: 0, or what the page before says
   * @param bytesMax the largest size of the page; it has one chunk at least
   */
  @Name("FetchChunks")
  record FetchChunks(String run, OutputId output, int part, long place, int bytesMax)
      implements PlanMessage {}

  /**
   * A page of chunks, ordered by attribute.
   *
   * @param chunks the chunks, in order
   * @param next the place where the next page begins
   * @param last true if there is none
   */
  @Name("FetchedChunks")
  record FetchedChunks(List<FetchedChunk> chunks, long next, boolean last) implements PlanMessage {}

  /**
   * One chunk.
   *
   * @param attribute decides which gather reads it
   * @param bytes its contents
   */
  record FetchedChunk(PartitionKey attribute, ByteBuffer bytes) {}

  /**
   * The notice that the outputs of a stage are not needed any more. Answered by {@link
   * StageReleased}.
   *
   * @param run the run
   * @param stage the stage
   */
  @Name("ReleaseStage")
  record ReleaseStage(String run, int stage) implements PlanMessage {}

  /** The answer that the stage is released. */
  @Name("StageReleased")
  record StageReleased() implements PlanMessage {}
}
