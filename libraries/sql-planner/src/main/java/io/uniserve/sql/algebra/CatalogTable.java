package io.uniserve.sql.algebra;

import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.Types;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.util.ImmutableBitSet;

/** A table that algebra may read, in the form that Calcite requires. */
public final class CatalogTable extends AbstractTable {
  private final SqlTable table;
  private final TableSize size;

  /** Makes one for a SQL table and its estimated size. */
  public CatalogTable(SqlTable table, TableSize size) {
    this.table = table;
    this.size = size;
  }

  /** Returns the SQL table with its columns and keys. */
  public SqlTable table() {
    return table;
  }

  /** Returns the estimated size. */
  public TableSize size() {
    return size;
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
