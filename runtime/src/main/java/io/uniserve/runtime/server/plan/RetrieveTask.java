package io.uniserve.runtime.server.plan;

import io.uniserve.api.Dataset;
import io.uniserve.api.Operator;
import io.uniserve.runtime.wire.PlanMessage.TaskValues;
import io.uniserve.runtime.wire.entry.Payload;
import java.util.List;

/** The task that retrieves from each dataset of an input. */
record RetrieveTask(Operators operators, TaskContext context, int task) {

  @SuppressWarnings("unchecked")
  TaskRun.Made run(Datum input) {
    Operator.Retrieve<Dataset, Object> operator = operators.as(Operator.Retrieve.class);
    input.forEach(
        (set, number) -> operator.retrieve(set, value -> put(number, value), context.on(number)));
    return TaskRun.Made.nothing();
  }

  private void put(int dataset, Object value) {
    context.checkCancelled();
    String engine = operators.payload().engine();
    context.call().reply(new TaskValues(task, dataset, List.of(Payload.of(engine, value))));
  }
}
