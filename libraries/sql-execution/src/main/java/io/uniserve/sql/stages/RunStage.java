package io.uniserve.sql.stages;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.form.Name;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.backend.Broadcast;
import java.util.List;

/**
 * An operator that runs a stage on one actor.
 *
 * @param name the stage's name
 * @param sql its statement
 * @param inputs the rows of earlier stages that it reads
 */
@Name("RunStage")
public record RunStage(String name, String sql, List<Broadcast> inputs)
    implements Operator.Retrieve<RowSource, Block> {
  /** Copies the list. */
  public RunStage {
    inputs = List.copyOf(inputs);
  }

  @Override
  public void retrieve(RowSource input, Output<Block> blocks, OperatorContext context) {
    context.reportRows(
        input.query(
            inputs,
            sql,
            context,
            rows -> {
              context.checkCancelled();
              blocks.put(new Block(Blocks.of(rows)));
            }));
  }
}
