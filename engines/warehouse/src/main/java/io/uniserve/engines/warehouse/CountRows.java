package io.uniserve.engines.warehouse;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.Plan;

/** About how many rows an actor has of each table: what the planner weighs moves by. */
record CountRows() implements Operator.Retrieve<WarehouseActor, RowCounts> {
  /** The rows of all actors together; those of replicated tables count in each. */
  static Plan<RowCounts> of(String warehouse) {
    return Plan.query(
        warehouse, new CountRows(), Operator.Combine.fold(RowCounts.NONE, RowCounts::plus));
  }

  @Override
  public void retrieve(WarehouseActor actor, Output<RowCounts> counts, OperatorContext context) {
    counts.put(new RowCounts(actor.rowCounts()));
  }
}
