package io.uniserve.runtime.server.plan;

import io.uniserve.api.Actor;
import io.uniserve.api.Dataset;
import io.uniserve.api.Operator;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.runtime.server.plan.chunk.ChunkMerge;
import io.uniserve.runtime.server.plan.chunk.ChunkStream;
import io.uniserve.runtime.server.plan.chunk.ChunkSupply;
import io.uniserve.runtime.server.plan.chunk.PlanSettings;
import io.uniserve.runtime.server.plan.chunk.RemoteChunks;
import io.uniserve.runtime.wire.plan.Input;
import io.uniserve.runtime.wire.plan.TaskFigures;
import io.uniserve.runtime.wire.plan.Work;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The task that gathers the attributes of one part, one after another. Its datasets keep the anchor
 * from being closed.
 */
record GatherTask(PlanResources shared, Operators operators, TaskContext context, Run run) {

  @SuppressWarnings("unchecked")
  TaskRun.Made run(
      String name, Work.Gathering work, Input.OfChunks input, Optional<PlanHost.ActorUse> anchor) {
    Operator.Gather<Actor, Dataset> operator = operators.as(Operator.Gather.class);
    int number = input.anchor().map(of -> of.actor().number()).orElse(input.part());
    Optional<Actor> actor = anchor.map(PlanHost.ActorUse::actor);
    List<ChunkStream> streams = streams(name, work, input);
    context.call().onCancel(() -> streams.forEach(ChunkStream::cancel));
    ChunkMerge merge = new ChunkMerge(streams);
    List<Dataset> made = new ArrayList<>();
    try {
      for (PartitionKey next = merge.nextAttribute(); next != null; next = merge.nextAttribute()) {
        context.checkCancelled();
        Iterator<ByteBuffer> chunks = merge.chunksOf(next);
        made.add(operator.gather(next, chunks, actor, context.on(number)));
        chunks.forEachRemaining(unread -> {});
      }
      TaskFigures figures = new TaskFigures(0, 0, 0, merge.chunks(), merge.bytes(), made.size(), 0);
      return new TaskRun.Made(
          Optional.of(shared.materialized().hold(made, anchor)), figures, List.of());
    } catch (Throwable e) {
      streams.forEach(ChunkStream::cancel);
      Materialized.close(made);
      throw e;
    }
  }

  private List<ChunkStream> streams(String name, Work.Gathering work, Input.OfChunks input) {
    int each = shared.settings().mergeBytesMax() / 2 / Math.max(1, input.from().size());
    int pageBytes =
        Math.min(Math.max(each, PlanSettings.PAGE_BYTES_MIN), shared.settings().pageBytesMax());
    List<ChunkStream> streams = new ArrayList<>();
    for (int index : input.from()) {
      if (index < 0 || index >= work.from().size()) {
        throw UniserveException.invalid("there is no source " + index + " of chunks");
      }
      streams.add(
          new ChunkStream(
              supply(name, work.from().get(index), input.part()),
              context.call().deadline(),
              pageBytes,
              shared.settings().pageAttemptsMax()));
    }
    return streams;
  }

  private ChunkSupply supply(String name, Work.ChunkSource source, int part) {
    return source.server().address().equals(shared.host().self())
        ? new LocalChunks(shared.host().environment().threads(), run, source.output(), part)
        : new RemoteChunks(
            shared.host().environment(),
            shared.host().calls(),
            source.server(),
            name,
            source.output(),
            part,
            shared.settings().pageTimeout());
  }
}
