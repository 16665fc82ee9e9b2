package io.uniserve.sql.algebra;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.algebra.functions.DuckCalls;
import io.uniserve.sql.algebra.functions.DuckOperators;
import io.uniserve.sql.algebra.functions.FunctionTypes;
import io.uniserve.sql.syntax.CalciteErrors;
import io.uniserve.sql.syntax.Operators;
import io.uniserve.sql.syntax.SqlType;
import io.uniserve.sql.syntax.Types;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlConformance;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.sql2rel.SqlToRelConverter;

/**
 * From statements to relational algebra: names and types are checked, and what they ask is known.
 */
public final class Translation {
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

  private static final SqlOperatorTable OPERATORS =
      SqlOperatorTables.chain(Operators.TABLE, DuckOperators.INSTANCE);

  private static final SqlValidator.Config VALIDATOR =
      SqlValidator.Config.DEFAULT
          .withConformance(CONFORMANCE)
          .withDefaultNullCollation(NullCollation.LAST)
          .withTypeCoercionFactory(Coercion::new);

  private final Types types = new Types();
  private final CalciteCatalogReader reader;
  private final FunctionTypes functions;

  /**
   * Of statements that may name these tables.
   *
   * @param name the schema that the tables are in
   * @param functions what DuckDB's functions give
   */
  public Translation(String name, Collection<CatalogTable> tables, FunctionTypes functions) {
    this.functions = functions;
    CalciteSchema root = CalciteSchema.createRootSchema(false);
    tables.forEach(table -> root.add(table.table().name(), table));
    InformationSchema.addTo(root, name, tables);
    Types.NAMES.forEach((known, type) -> root.add(known, factory -> types.named(type)));
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
   * The algebra of a query, node by node as it is written.
   *
   * @throws UniserveException naming what no table has, or what does not fit
   */
  public RelRoot algebra(SqlNode query) {
    requireQuery(query);
    return CalciteErrors.translated(() -> convert(duckCalls(query), newValidator()));
  }

  /**
   * The types of the parameters of a query or a change.
   *
   * @throws UniserveException as {@link #algebra} does, also where nothing tells a type
   */
  public List<SqlType> parameters(SqlNode statement) {
    if (!statement.isA(SqlKind.DML)) {
      requireQuery(statement);
    }
    return CalciteErrors.translated(
        () -> {
          SqlValidator validator = newValidator();
          SqlNode valid = validator.validate(duckCalls(statement));
          return validator.getParameterRowType(valid).getFieldList().stream()
              .map(field -> Types.of(field.getIndex() + 1, field.getType()))
              .toList();
        });
  }

  private SqlNode duckCalls(SqlNode statement) {
    return statement.accept(new DuckCalls(functions, Instant.now()));
  }

  private static void requireQuery(SqlNode statement) {
    if (!statement.isA(SqlKind.QUERY)) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "SQL: " + statement.getKind() + " is no query");
    }
  }

  private SqlValidator newValidator() {
    return SqlValidatorUtil.newValidator(OPERATORS, reader, types, VALIDATOR);
  }

  private RelRoot convert(SqlNode query, SqlValidator validator) {
    SqlNode valid = validator.validate(query);
    HepPlanner planner = new HepPlanner(HepProgram.builder().build());
    planner.setExecutor(Unsimplified.EXECUTOR);
    RelOptCluster cluster = RelOptCluster.create(planner, new RexBuilder(types));
    RelRoot root =
        new SqlToRelConverter(
                null,
                validator,
                reader,
                cluster,
                new WrittenCasts(),
                SqlToRelConverter.config()
                    .withExpand(false)
                    .withInSubQueryThreshold(Integer.MAX_VALUE)
                    .withRelBuilderFactory(Unsimplified.BUILDERS)
                    .withRelBuilderConfigTransform(config -> config.withSimplify(false)))
            .convertQuery(valid, false, true);
    Misunderstood.requireNone(root.rel);
    return root;
  }
}
