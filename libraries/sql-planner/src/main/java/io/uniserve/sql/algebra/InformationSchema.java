package io.uniserve.sql.algebra;

import com.google.common.collect.ImmutableList;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.SqlType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * The tables of the schema {@code information_schema}, which list the tables and columns of a
 * warehouse. Their rows come from the catalog, so no actor is asked.
 */
final class InformationSchema {
  /** The name of the schema in a statement. */
  static final String NAME = "information_schema";

  private static final String CATALOG = "uniserve";
  private static final int INTEGER_BITS = 32;
  private static final int BIGINT_BITS = 64;
  private static final int DOUBLE_BITS = 53;

  private InformationSchema() {}

  /** Adds the tables to a catalog. */
  static void addTo(CalciteSchema root, String warehouse, Collection<CatalogTable> tables) {
    CalciteSchema schema = root.add(NAME, new AbstractSchema());
    schema.add(
        "schemata",
        new Known(
            List.of("catalog_name", "schema_name"),
            List.of(List.of(CATALOG, warehouse), List.of(CATALOG, NAME))));
    List<List<Object>> names = new ArrayList<>();
    List<List<Object>> columns = new ArrayList<>();
    for (CatalogTable table : tables) {
      names.add(List.of(CATALOG, warehouse, table.table().name(), "BASE TABLE"));
      for (int i = 0; i < table.table().columns().size(); i++) {
        columns.add(column(warehouse, table.table(), i));
      }
    }
    schema.add(
        "tables",
        new Known(List.of("table_catalog", "table_schema", "table_name", "table_type"), names));
    schema.add(
        "columns",
        new Known(
            List.of(
                "table_catalog",
                "table_schema",
                "table_name",
                "column_name",
                "ordinal_position",
                "is_nullable",
                "data_type",
                "numeric_precision",
                "numeric_scale",
                "column_key"),
            columns));
  }

  private static List<Object> column(String warehouse, SqlTable table, int place) {
    SqlColumn column = table.columns().get(place);
    return List.of(
        CATALOG,
        warehouse,
        table.name(),
        column.name(),
        place + 1,
        column.nullable() ? "YES" : "NO",
        column.type().toString(),
        precision(column.type()),
        column.type().scale(),
        table.primaryKey().contains(column.name()) ? "PRI" : "");
  }

  /** Returns the bits of whole and floating-point numbers, and the digits of decimals. */
  private static int precision(SqlType type) {
    return switch (type.kind()) {
      case INTEGER -> INTEGER_BITS;
      case BIGINT -> BIGINT_BITS;
      case DOUBLE -> DOUBLE_BITS;
      default -> type.precision();
    };
  }

  /** A table of known rows with texts and whole numbers. */
  private static final class Known extends AbstractTable implements TranslatableTable {
    private static final List<String> NUMBERS =
        List.of("ordinal_position", "numeric_precision", "numeric_scale");

    private final List<String> columns;
    private final List<List<Object>> rows;

    Known(List<String> columns, List<List<Object>> rows) {
      this.columns = columns;
      this.rows = rows;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory types) {
      RelDataTypeFactory.Builder row = types.builder();
      for (String column : columns) {
        row.add(
            column,
            types.createSqlType(
                NUMBERS.contains(column) ? SqlTypeName.INTEGER : SqlTypeName.VARCHAR));
      }
      return row.build();
    }

    @Override
    public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
      RexBuilder rex = context.getCluster().getRexBuilder();
      RelDataType row = table.getRowType();
      return LogicalValues.create(
          context.getCluster(),
          row,
          ImmutableList.copyOf(rows.stream().map(values -> literals(rex, row, values)).toList()));
    }

    private static ImmutableList<RexLiteral> literals(
        RexBuilder rex, RelDataType row, List<Object> values) {
      List<RexLiteral> literals = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        Object value =
            values.get(i) instanceof Integer number ? BigDecimal.valueOf(number) : values.get(i);
        RelDataType type = row.getFieldList().get(i).getType();
        literals.add((RexLiteral) rex.makeLiteral(value, type, false));
      }
      return ImmutableList.copyOf(literals);
    }
  }
}
