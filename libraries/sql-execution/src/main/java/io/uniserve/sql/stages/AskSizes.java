package io.uniserve.sql.stages;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.form.Name;
import io.uniserve.sql.backend.WarehouseSchema;

/** An operator that estimates the size of each table in an actor, for the planner's costs. */
@Name("AskSizes")
public record AskSizes() implements Operator.Retrieve<SqlActor, TableSizes> {
  /** Makes a plan for the sizes in all actors together. */
  static Plan<TableSizes> of(TableDefinition warehouse) {
    WarehouseSchema schema = WarehouseSchema.of(warehouse);
    return Plan.query(
        warehouse.name(),
        new AskSizes(),
        Operator.Combine.<TableSizes, TableSizes>fold(
            TableSizes.NONE, (all, more) -> all.plus(more, schema)));
  }

  @Override
  public void retrieve(SqlActor actor, Output<TableSizes> sizes, OperatorContext context) {
    sizes.put(new TableSizes(actor.sizes()));
  }
}
