package io.uniserve.engines.sharedscan;

import io.uniserve.api.Actor;
import io.uniserve.api.OperatorContext;
import io.uniserve.engines.sharedscan.scan.Aggregate;
import io.uniserve.engines.sharedscan.scan.GroupSink;
import io.uniserve.engines.sharedscan.scan.RowSink;
import io.uniserve.engines.sharedscan.scan.Test;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.util.List;
import java.util.function.Consumer;

/** The records of one actor, as they are or as they were at a point in time. */
abstract sealed class SharedScanActor implements Actor permits LiveTable, TableSnapshot {
  private final TableSchema schema;

  SharedScanActor(TableSchema schema) {
    this.schema = schema;
  }

  final TableSchema schema() {
    return schema;
  }

  /** Returns the records that updates change. A snapshot throws, since it is never updated. */
  abstract LiveTable live();

  /** Gives some values of the records that pass all tests, at most a number of them. */
  abstract void rows(
      List<Test> tests,
      int[] columns,
      long limit,
      OperatorContext request,
      Consumer<RowSink.Block> blocks);

  /** Returns the records as they are now. Whoever has them closes them. */
  abstract TableSnapshot copy();

  /** Returns aggregates of the records that pass all tests. */
  abstract GroupSink groups(
      List<Test> tests, int[] columns, List<Aggregate> aggregates, OperatorContext request);
}
