package io.uniserve.gateways.druid.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.tools.Program;
import org.apache.calcite.tools.Programs;
import org.apache.calcite.tools.RelBuilder;
import org.apache.druid.sql.calcite.planner.CalciteRulesManager;
import org.apache.druid.sql.calcite.planner.PlannerContext;

/**
 * Druid's planner rules, and one more for statements on tables of the cluster itself, which
 * Calcite's interpreter runs. It gives no row for an aggregate without groups over no rows, where
 * SQL has one:
 *
 * <pre>
 * before:  Aggregate(COUNT)                       no row
 * after:   Project(COUNT, or 0 if it is missing)  one row
 *            Join(left)
 *              Values(one row)
 *              Aggregate(COUNT)
 * </pre>
 */
final class PlannerRules extends CalciteRulesManager {
  private static final Program ONE_ROW_AT_LEAST =
      (planner, plan, traits, materializations, lattices) -> plan.accept(new OneRowAtLeast());

  PlannerRules() {
    super(Set.of());
  }

  @Override
  public List<Program> programs(PlannerContext context) {
    List<Program> programs = new ArrayList<>(super.programs(context));
    programs.set(
        BINDABLE_CONVENTION_RULES,
        Programs.sequence(ONE_ROW_AT_LEAST, programs.get(BINDABLE_CONVENTION_RULES)));
    return programs;
  }

  /** The rewriting of all aggregates without groups. */
  private static final class OneRowAtLeast extends RelHomogeneousShuttle {
    @Override
    public RelNode visit(RelNode before) {
      RelNode node = super.visit(before);
      return node instanceof Aggregate aggregate && aggregate.getGroupSet().isEmpty()
          ? joined(aggregate)
          : node;
    }

    private static RelNode joined(Aggregate aggregate) {
      RelBuilder builder = RelFactories.LOGICAL_BUILDER.create(aggregate.getCluster(), null);
      builder
          .values(new String[] {"row"}, 1)
          .push(aggregate)
          .join(JoinRelType.LEFT, builder.literal(true));
      List<RexNode> columns = new ArrayList<>();
      for (RelDataTypeField field : aggregate.getRowType().getFieldList()) {
        columns.add(orZero(builder, field));
      }
      RelNode project =
          builder.project(columns, aggregate.getRowType().getFieldNames(), true).build();
      return RelOptUtil.createCastRel(project, aggregate.getRowType(), true);
    }

    private static RexNode orZero(RelBuilder builder, RelDataTypeField field) {
      RexBuilder rex = builder.getRexBuilder();
      RexNode value = builder.field(field.getIndex() + 1);
      if (field.getType().isNullable() || !SqlTypeUtil.isNumeric(field.getType())) {
        return value;
      }
      return rex.makeCall(
          SqlStdOperatorTable.CASE,
          rex.makeCall(SqlStdOperatorTable.IS_NULL, value),
          rex.makeZeroLiteral(field.getType()),
          rex.makeNotNull(value));
    }
  }
}
