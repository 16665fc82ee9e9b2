package io.uniserve.sqlplanner;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.util.ImmutableBitSet;

/** A table as Calcite sees it. */
final class CatalogTable extends AbstractTable {
  private final SqlTable table;
  private final double rows;

  CatalogTable(SqlTable table, double rows) {
    this.table = table;
    this.rows = rows;
  }

  SqlTable table() {
    return table;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory factory) {
    Types types = (Types) factory;
    RelDataTypeFactory.Builder row = types.builder();
    table.columns().forEach(column -> row.add(column.name(), types.of(column)));
    return row.build();
  }

  @Override
  public Statistic getStatistic() {
    List<ImmutableBitSet> keys =
        table.primaryKey().isEmpty()
            ? List.of()
            : List.of(ImmutableBitSet.of(table.indexesOf(table.primaryKey())));
    return Statistics.of(rows, keys);
  }
}
