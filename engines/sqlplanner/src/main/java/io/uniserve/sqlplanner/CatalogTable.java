package io.uniserve.sqlplanner;

import io.uniserve.sqlsyntax.SqlColumn;
import io.uniserve.sqlsyntax.SqlTable;
import io.uniserve.sqlsyntax.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.util.ImmutableBitSet;

/** A table as Calcite sees it. */
final class CatalogTable extends AbstractTable {
  private final SqlTable table;
  private final TableSize size;

  CatalogTable(SqlTable table, TableSize size) {
    this.table = table;
    this.size = size;
  }

  SqlTable table() {
    return table;
  }

  /** What is known of its rows. */
  Estimate estimate() {
    List<ColumnEstimate> columns = new ArrayList<>();
    for (SqlColumn column : table.columns()) {
      Long distinct = size.distinct().get(column.name());
      Optional<ColumnRange> range = Optional.ofNullable(size.ranges().get(column.name()));
      columns.add(ColumnEstimate.of(distinct == null ? 0 : Math.max(1, distinct), range));
    }
    List<Estimate.Key> keys = uniques().stream().map(key -> new Estimate.Key(key, rows())).toList();
    return new Estimate(rows(), rows(), columns, keys);
  }

  private double rows() {
    return Math.max(1, size.rows());
  }

  private List<ImmutableBitSet> uniques() {
    return table.primaryKey().isEmpty()
        ? List.of()
        : List.of(ImmutableBitSet.of(table.indexesOf(table.primaryKey())));
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
    return Statistics.of(rows(), uniques());
  }
}
