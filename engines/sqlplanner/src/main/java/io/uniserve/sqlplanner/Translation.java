package io.uniserve.sqlplanner;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.sqlsyntax.CalciteErrors;
import io.uniserve.sqlsyntax.SqlType;
import io.uniserve.sqlsyntax.Types;
import java.util.List;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.fun.SqlLibrary;
import org.apache.calcite.sql.fun.SqlLibraryOperatorTableFactory;
import org.apache.calcite.sql.validate.SqlConformance;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.apache.calcite.tools.RelBuilder;

/**
 * From text to relational algebra: checked, without sub-queries, each filter as deep as it goes.
 */
final class Translation {
  /** A select list names no other of its columns, and none that is not grouped by. */
  private static final SqlConformance CONFORMANCE =
      new SqlDelegatingConformance(SqlConformanceEnum.BABEL) {
        @Override
        public SelectAliasLookup isSelectAlias() {
          return SelectAliasLookup.UNSUPPORTED;
        }

        @Override
        public boolean isNonStrictGroupBy() {
          return false;
        }
      };

  private static final SqlOperatorTable FUNCTIONS =
      SqlLibraryOperatorTableFactory.INSTANCE.getOperatorTable(
          SqlLibrary.STANDARD, SqlLibrary.POSTGRESQL);
  private static final SqlValidator.Config VALIDATOR =
      SqlValidator.Config.DEFAULT
          .withConformance(CONFORMANCE)
          .withDefaultNullCollation(NullCollation.LAST)
          .withTypeCoercionFactory(Coercion::new);
  private static final List<RelOptRule> UNNEST =
      List.of(
          CoreRules.FILTER_SUB_QUERY_TO_CORRELATE,
          CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
          CoreRules.JOIN_SUB_QUERY_TO_CORRELATE);

  /** What a disjunction says of each table alone can be pushed to it. */
  private static final List<RelOptRule> EXPAND = List.of(LongDisjunctions.OF_FILTERS);

  /** A longer list of values is a table that is joined. */
  private static final int LISTED_VALUES_MAX = 1_000;

  private static final List<RelOptRule> PUSH =
      List.of(
          CoreRules.FILTER_INTO_JOIN,
          CoreRules.JOIN_CONDITION_PUSH,
          CoreRules.FILTER_PROJECT_TRANSPOSE,
          CoreRules.FILTER_AGGREGATE_TRANSPOSE,
          CoreRules.FILTER_SET_OP_TRANSPOSE,
          CoreRules.FILTER_MERGE,
          CoreRules.PROJECT_MERGE,
          CoreRules.PROJECT_REMOVE);

  private final Types types = new Types();
  private final CalciteCatalogReader reader;

  Translation(Catalog catalog) {
    CalciteSchema root = CalciteSchema.createRootSchema(false);
    catalog
        .tables()
        .forEach(table -> root.add(table.name(), new CatalogTable(table, catalog.sizeOf(table))));
    Properties none = new Properties();
    reader =
        new CalciteCatalogReader(
            root,
            List.of(),
            types,
            new CalciteConnectionConfigImpl(none)
                .set(CalciteConnectionProperty.CASE_SENSITIVE, "false"));
  }

  /**
   * The algebra of a query.
   *
   * @throws UniserveException naming what the catalog does not know, or what does not fit
   */
  RelRoot algebra(SqlNode statement) {
    requireQuery(statement);
    return CalciteErrors.translated(
        () -> {
          SqlValidator validator = newValidator();
          RelRoot root = convert(statement, validator);
          RelBuilder builder = RelFactories.LOGICAL_BUILDER.create(root.rel.getCluster(), reader);
          RelNode flat = RelDecorrelator.decorrelateQuery(rewrite(root.rel, UNNEST), builder);
          RelNode pushed = rewrite(rewrite(factored(flat), EXPAND), PUSH);
          return root.withRel(SemiJoins.of(new Trimmer(validator, builder).trim(pushed)));
        });
  }

  /**
   * The types of the parameters of a query or a change.
   *
   * @throws UniserveException as {@link #algebra} does, also where nothing tells a type
   */
  List<SqlType> parameters(SqlNode statement) {
    if (!statement.isA(SqlKind.DML)) {
      requireQuery(statement);
    }
    return CalciteErrors.translated(
        () -> {
          SqlValidator validator = newValidator();
          SqlNode valid = validator.validate(statement);
          return validator.getParameterRowType(valid).getFieldList().stream()
              .map(field -> Types.of(field.getIndex() + 1, field.getType()))
              .toList();
        });
  }

  private static void requireQuery(SqlNode statement) {
    if (!statement.isA(SqlKind.QUERY)) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "SQL: " + statement.getKind() + " is no query");
    }
  }

  /** The algebra of a query, node by node as it is written. */
  RelNode asWritten(SqlNode query) {
    return CalciteErrors.translated(() -> convert(query, newValidator()).rel);
  }

  private SqlValidator newValidator() {
    return SqlValidatorUtil.newValidator(FUNCTIONS, reader, types, VALIDATOR);
  }

  private RelRoot convert(SqlNode query, SqlValidator validator) {
    SqlNode valid = validator.validate(query);
    RelOptCluster cluster =
        RelOptCluster.create(new HepPlanner(HepProgram.builder().build()), new RexBuilder(types));
    return new SqlToRelConverter(
            null,
            validator,
            reader,
            cluster,
            StandardConvertletTable.INSTANCE,
            SqlToRelConverter.config().withExpand(false).withInSubQueryThreshold(LISTED_VALUES_MAX))
        .convertQuery(valid, false, true);
  }

  /** What every part of a disjunction says stands beside it: a join may be by it. */
  private static RelNode factored(RelNode rel) {
    RexBuilder rex = rel.getCluster().getRexBuilder();
    return rel.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode node) {
            RelNode below = super.visit(node);
            return below instanceof Filter filter
                ? filter.copy(
                    filter.getTraitSet(),
                    filter.getInput(),
                    RexUtil.pullFactors(rex, filter.getCondition()))
                : below;
          }
        });
  }

  private static RelNode rewrite(RelNode rel, List<RelOptRule> rules) {
    HepPlanner planner = new HepPlanner(HepProgram.builder().addRuleCollection(rules).build());
    planner.setRoot(rel);
    return planner.findBestExp();
  }
}
