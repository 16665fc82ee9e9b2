package io.uniserve.sqlplanner;

import java.util.List;
import java.util.OptionalDouble;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelColumnOrigin;
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

  /** About how many different values a column of some algebra may have, if it is a table's. */
  static OptionalDouble distinct(RelNode rel, int column) {
    RelColumnOrigin origin = rel.getCluster().getMetadataQuery().getColumnOrigin(rel, column);
    if (origin == null || origin.isDerived()) {
      return OptionalDouble.empty();
    }
    CatalogTable known = origin.getOriginTable().unwrap(CatalogTable.class);
    if (known == null) {
      return OptionalDouble.empty();
    }
    String name = known.table.columns().get(origin.getOriginColumnOrdinal()).name();
    Long count = known.size.distinct().get(name);
    return count == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.max(1, count * Reductions.left(rel, column)));
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
    return Statistics.of(Math.max(1, size.rows()), keys);
  }
}
