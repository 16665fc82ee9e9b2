package io.uniserve.sqlplanner;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.BuiltInMetadata;
import org.apache.calcite.rel.metadata.RelColumnOrigin;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.util.ImmutableBitSet;

/** A table as Calcite sees it. */
final class CatalogTable extends AbstractTable implements BuiltInMetadata.Selectivity.Handler {
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
    OptionalDouble all = known.distinct(origin.getOriginColumnOrdinal());
    return all.isEmpty()
        ? all
        : OptionalDouble.of(Math.max(1, all.getAsDouble() * Reductions.left(rel, column)));
  }

  /** About how many rows it has, at least one. */
  double rows() {
    return Math.max(1, size.rows());
  }

  /** About how many different values a column has, at least one. */
  OptionalDouble distinct(int column) {
    Long count = size.distinct().get(table.columns().get(column).name());
    return count == null ? OptionalDouble.empty() : OptionalDouble.of(Math.max(1, count));
  }

  /** Between what values those of a column lie. */
  Optional<ColumnRange> range(int column) {
    return Optional.ofNullable(size.ranges().get(table.columns().get(column).name()));
  }

  /** Asked by Calcite for the filters of a scan. */
  @Override
  public Double getSelectivity(RelNode scan, RelMetadataQuery metadata, RexNode condition) {
    return condition == null
        ? 1.0
        : new FilterShare(this, scan.getCluster().getRexBuilder()).of(condition);
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
    return Statistics.of(rows(), keys);
  }
}
