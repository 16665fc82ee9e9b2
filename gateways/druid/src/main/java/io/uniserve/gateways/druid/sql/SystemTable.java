package io.uniserve.gateways.druid.sql;

import java.util.List;
import java.util.function.Supplier;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.druid.segment.column.RowSignature;
import org.apache.druid.sql.calcite.table.RowSignatures;

/** A table of the schema {@code sys}: its rows are made when it is asked. */
final class SystemTable extends AbstractTable implements ScannableTable {
  private final RowSignature columns;
  private final Supplier<List<Object[]>> rows;

  SystemTable(RowSignature columns, Supplier<List<Object[]>> rows) {
    this.columns = columns;
    this.rows = rows;
  }

  @Override
  public Enumerable<Object[]> scan(DataContext root) {
    return Linq4j.asEnumerable(rows.get());
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory types) {
    return RowSignatures.toRelDataType(columns, types);
  }

  @Override
  public Schema.TableType getJdbcTableType() {
    return Schema.TableType.SYSTEM_TABLE;
  }
}
