package io.uniserve.engines.sharedscan;

import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Keys;
import io.uniserve.engines.sharedscan.scan.Test;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import io.uniserve.engines.sharedscan.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The explanation of a query: which actors it asks, how each of its tests can be evaluated, and
 * what the last cycles have cost.
 */
final class Explanation {
  /** The column of the answer. */
  static final String COLUMN = "plan";

  private static final double MILLIS = 1e6;

  private Explanation() {}

  static Plan<Map<String, Object>> plan(
      TableDefinition table, TableSchema schema, Statement.Select select) {
    Keys keys = SharedScanPlanner.keys(schema, select.where());
    return new Plan.Query<>(
        Source.table(table.name(), keys),
        new AskCycle(),
        () -> new Lines(table, schema, select, keys));
  }

  private static final class Lines implements Operator.Combiner<CycleStatus, Map<String, Object>> {
    private final TableDefinition table;
    private final TableSchema schema;
    private final Statement.Select select;
    private final Keys keys;
    private final Map<Integer, CycleStatus> byActor = new TreeMap<>();

    Lines(TableDefinition table, TableSchema schema, Statement.Select select, Keys keys) {
      this.table = table;
      this.schema = schema;
      this.select = select;
      this.keys = keys;
    }

    @Override
    public void add(int actor, CycleStatus status) {
      byActor.put(actor, status);
    }

    @Override
    public Map<String, Object> result() {
      List<String> lines = new ArrayList<>();
      lines.add(
          "a place in the next cycle of "
              + byActor.size()
              + " of "
              + table.partitioner().living()
              + " actors"
              + (keys instanceof Keys.Of some
                  ? ", those of "
                      + some.keys().size()
                      + " keys of "
                      + schema.column(schema.partitionBy()).name()
                  : ""));
      select.where().forEach(test -> lines.add("  " + line(test)));
      byActor.forEach(
          (actor, status) -> lines.add("last cycle of actor " + actor + ": " + line(status)));
      return SharedScanPlanner.document(
          List.of(SharedScanPlanner.column(COLUMN, "varchar")),
          lines.stream().map(List::of).toList());
    }

    private String line(Test test) {
      String name = schema.column(test.column()).name();
      return switch (test) {
        case Test.Among among when !among.not() ->
            name
                + ", one of "
                + among.values().size()
                + ": in a hash index, alone or with another equality, if that takes less, else in"
                + " bulk";
        case Test.Among among -> name + ", none of " + among.values().size() + ": in bulk";
        case Test.Between between -> name + ", an interval: " + range();
        case Test.BeginsWith begins -> name + ", a beginning: " + range();
        case Test.Missing missing -> name + (missing.not() ? ", not" : ",") + " null: in bulk";
      };
    }

    private static String range() {
      return "in a tree of ranges with many others if that takes less, else in bulk";
    }

    private static String line(CycleStatus status) {
      return status.operations()
          + " operations over "
          + status.records()
          + " records in "
          + String.format(java.util.Locale.ROOT, "%.1f", status.nanos() / MILLIS)
          + " ms; by hash "
          + new TreeMap<>(status.byHash())
          + ", by tree "
          + new TreeMap<>(status.byTree())
          + ", in bulk "
          + status.inBulk();
    }
  }
}
