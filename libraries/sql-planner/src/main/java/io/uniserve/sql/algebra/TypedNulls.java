package io.uniserve.sql.algebra;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * A rewriting that casts every null to its type, also those that no row has. DuckDB treats an
 * untyped null as a number, or cannot choose between functions of the same name.
 */
final class TypedNulls extends RelHomogeneousShuttle {
  private final RexBuilder rex;

  private TypedNulls(RexBuilder rex) {
    this.rex = rex;
  }

  /** Returns the algebra with typed nulls. */
  static RelNode of(RelNode rel) {
    return rel.accept(new TypedNulls(rel.getCluster().getRexBuilder()));
  }

  @Override
  public RelNode visit(RelNode node) {
    RelNode below = super.visit(node);
    return below instanceof Values values ? typed(values) : below.accept(new Literals());
  }

  private RelNode typed(Values values) {
    if (values.getTuples().isEmpty()) {
      RelNode row = LogicalValues.createOneRow(values.getCluster());
      List<RexNode> nulls =
          values.getRowType().getFieldList().stream()
              .map(field -> typedNull(field.getType()))
              .toList();
      return LogicalFilter.create(named(row, nulls, values), rex.makeLiteral(false));
    }
    if (values.getTuples().stream()
        .noneMatch(row -> row.stream().anyMatch(RexLiteral::isNullLiteral))) {
      return values;
    }
    List<RexNode> columns = new ArrayList<>();
    for (RelDataTypeField field : values.getRowType().getFieldList()) {
      RexNode column = RexInputRef.of(field.getIndex(), values.getRowType());
      columns.add(cast(field.getType(), column));
    }
    return named(values, columns, values);
  }

  private static RelNode named(RelNode rows, List<RexNode> columns, Values like) {
    return LogicalProject.create(
        rows, List.of(), columns, like.getRowType().getFieldNames(), Set.of());
  }

  private RexNode typedNull(RelDataType type) {
    return cast(type, rex.makeNullLiteral(type));
  }

  private RexNode cast(RelDataType type, RexNode value) {
    return type.getSqlTypeName() == SqlTypeName.NULL
        ? value
        : rex.makeAbstractCast(type, value, false);
  }

  private final class Literals extends RexShuttle {
    @Override
    public RexNode visitLiteral(RexLiteral literal) {
      return literal.isNull() ? typedNull(literal.getType()) : literal;
    }
  }
}
