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

/** The translation of statements to relational algebra, which checks names and types. */
public final class Translation {
  /**
   * The rules of names: a select list refers neither to its other columns nor to columns that are
   * not grouped by.
   */
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
   * Makes a translation of statements that may name some tables.
   *
   * @param name the schema of the tables
   * @param functions the result types of DuckDB's functions
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
   * Returns the algebra of a query, node by node as it is written.
   *
   * @throws UniserveException naming a part that does not exist or does not fit
   */
  public RelRoot algebra(SqlNode query) {
    requireQuery(query);
    return CalciteErrors.translated(() -> convert(duckCalls(query), newValidator()));
  }

  /**
   * Returns the types of the parameters of a query or a change.
   *
   * @throws UniserveException as {@link #algebra} does, also if nothing determines the type of a
   *     parameter
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
