package io.uniserve.sql.changes;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.Plan;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.sql.backend.Change;
import io.uniserve.sql.stages.RowSource;
import java.util.List;
import java.util.function.BinaryOperator;
import org.apache.arrow.vector.BigIntVector;

/**
 * An operator that returns the number of rows that a {@link RewriteRows} changed in an actor.
 *
 * @param name the name of the change
 */
@Name("AskRewritten")
public record AskRewritten(String name) implements Operator.Retrieve<RowSource, Long> {
  /**
   * Makes a plan for the number of rows in all actors.
   *
   * @param together combines the counts of two actors, for instance by their sum
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND}, when it runs, if the number is no
   *     longer kept
   */
  public static Plan<Long> of(String warehouse, String name, BinaryOperator<Long> together) {
    return Plan.query(
        warehouse, new AskRewritten(name), Operator.Combine.<Long, Long>fold(0L, together::apply));
  }

  @Override
  public void retrieve(RowSource actor, Output<Long> counts, OperatorContext context) {
    long found =
        actor.query(
            List.of(),
            Change.countOf(name),
            context,
            rows -> {
              for (int i = 0; i < rows.getRowCount(); i++) {
                counts.put(((BigIntVector) rows.getVector(0)).get(i));
              }
            });
    if (found == 0) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND,
          "the statement was carried out; how many rows it changed is forgotten by now");
    }
  }
}
