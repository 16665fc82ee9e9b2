package io.uniserve.engines.sharedscan;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.ScanFrom;
import io.uniserve.api.ScanPage;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.api.form.Name;
import io.uniserve.engines.sharedscan.page.PageSink;
import io.uniserve.engines.sharedscan.scan.Operation;
import io.uniserve.engines.sharedscan.scan.Test;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * An operator that reads the records that pass all tests page by page. Each page is a pass over all
 * records of the actor, beside its cycles.
 *
 * @param where the tests
 * @param columns the places of the columns that are given
 */
@Name("ReadPage")
public record ReadPage(List<Test> where, List<Integer> columns)
    implements Operator.Scan<SharedScanActor> {
  /** The form of blocks. */
  static final TypeRegistry BLOCKS = TypeRegistry.of(List.of(Rows.class));

  /** Copies the tests and columns. */
  public ReadPage {
    where = List.copyOf(where);
    columns = List.copyOf(columns);
  }

  @Override
  public ScanPage page(SharedScanActor actor, ScanFrom from, OperatorContext context) {
    Operation.check(where, actor.schema());
    int[] places = columns.stream().mapToInt(Integer::intValue).toArray();
    try (TableSnapshot snapshot = actor.copy()) {
      PageSink.Page page = snapshot.page(where, places, from, context);
      context.reportRows(page.count());
      return new ScanPage(
          page.count() == 0
              ? List.of()
              : List.of(ByteBuffer.wrap(BLOCKS.encode(new Rows(page.count(), page.cells())))),
          page.count(),
          page.next(),
          page.read(),
          snapshot.records());
    }
  }
}
