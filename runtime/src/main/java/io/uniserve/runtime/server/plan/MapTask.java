package io.uniserve.runtime.server.plan;

import io.uniserve.api.Dataset;
import io.uniserve.api.Operator;
import io.uniserve.runtime.wire.plan.TaskFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The task that maps each dataset of an input. */
record MapTask(Operators operators, TaskContext context, Materialized materialized) {

  @SuppressWarnings("unchecked")
  TaskRun.Made run(Datum input) {
    Operator.Map<Dataset, Dataset> operator = operators.as(Operator.Map.class);
    List<Dataset> made = new ArrayList<>();
    try {
      input.forEach(
          (set, number) -> {
            context.checkCancelled();
            made.add(operator.map(set, context.on(number)));
          });
      TaskFigures figures = new TaskFigures(0, 0, 0, 0, 0, made.size(), 0);
      return new TaskRun.Made(
          Optional.of(materialized.hold(made, Optional.empty())), figures, List.of());
    } catch (Throwable e) {
      Materialized.close(made);
      throw e;
    }
  }
}
