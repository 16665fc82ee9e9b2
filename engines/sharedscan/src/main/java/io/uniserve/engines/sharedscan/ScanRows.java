package io.uniserve.engines.sharedscan;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.form.Name;
import io.uniserve.engines.sharedscan.scan.Operation;
import io.uniserve.engines.sharedscan.scan.Test;
import java.util.List;

/**
 * An operator that gives some values of the records that pass all tests. It waits for a cycle.
 *
 * @param where the tests
 * @param columns the places of the columns
 * @param limit the most rows
 */
@Name("ScanRows")
public record ScanRows(List<Test> where, List<Integer> columns, long limit)
    implements Operator.Retrieve<SharedScanActor, Rows> {
  /** Copies the tests and columns. */
  public ScanRows {
    where = List.copyOf(where);
    columns = List.copyOf(columns);
  }

  @Override
  public void retrieve(SharedScanActor actor, Output<Rows> rows, OperatorContext context) {
    Operation.check(where, actor.schema());
    int[] places = columns.stream().mapToInt(Integer::intValue).toArray();
    actor.rows(
        where,
        places,
        limit,
        context,
        block -> {
          context.reportRows(block.rows());
          rows.put(new Rows(block.rows(), block.cells()));
        });
  }

  @Override
  public boolean waits() {
    return true;
  }
}
