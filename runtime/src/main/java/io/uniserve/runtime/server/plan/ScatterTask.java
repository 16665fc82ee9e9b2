package io.uniserve.runtime.server.plan;

import io.uniserve.api.Dataset;
import io.uniserve.api.Operator;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.server.plan.chunk.ChunkCollector;
import io.uniserve.runtime.server.plan.chunk.ChunkFiles;
import io.uniserve.runtime.server.plan.chunk.ChunkPages;
import io.uniserve.runtime.server.plan.chunk.ChunkSpace;
import io.uniserve.runtime.server.plan.chunk.PlanSettings;
import io.uniserve.runtime.wire.plan.Spread;
import io.uniserve.runtime.wire.plan.TaskFigures;
import io.uniserve.runtime.wire.plan.Work;
import java.util.Optional;

/** The task that scatters each dataset of an input. */
record ScatterTask(
    Operators operators,
    TaskContext context,
    ChunkSpace space,
    ChunkFiles files,
    PlanSettings settings) {

  @SuppressWarnings("unchecked")
  TaskRun.Made run(Work.Scattering work, Datum input) {
    Operator.Scatter<Dataset> operator = operators.as(Operator.Scatter.class);
    Optional<Partitioner> anchor =
        work.spread() instanceof Spread.AsActors actors
            ? Optional.of(actors.partitioner())
            : Optional.empty();
    ChunkCollector collector =
        new ChunkCollector(work.spread(), work.parts(), space, files, settings);
    try {
      input.forEach(
          (set, number) ->
              operator.scatter(
                  set,
                  chunk -> {
                    context.checkCancelled();
                    collector.put(chunk);
                  },
                  context.on(number, anchor)));
      ChunkPages pages = collector.finish();
      TaskFigures figures = new TaskFigures(0, 0, 0, pages.chunks(), pages.bytes(), 0, 0);
      return new TaskRun.Made(
          Optional.of(new Shared<>(new Output.Chunks(pages), pages::close)),
          figures,
          pages.parts());
    } catch (Throwable e) {
      collector.abandon();
      throw e;
    }
  }
}
