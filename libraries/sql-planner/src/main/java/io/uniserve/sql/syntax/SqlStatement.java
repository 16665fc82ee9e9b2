package io.uniserve.sql.syntax;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImpl;
import org.apache.calcite.sql.validate.SqlConformanceEnum;

/**
 * A query, or a change of rows.
 *
 * @param tree the syntax tree, without knowledge of tables and types
 */
public record SqlStatement(SqlNode tree) {
  private static final SqlParser.Config PARSER =
      SqlParser.config()
          .withParserFactory(SqlBabelParserImpl.FACTORY)
          .withUnquotedCasing(Casing.TO_LOWER)
          .withQuotedCasing(Casing.UNCHANGED)
          .withQuoting(Quoting.DOUBLE_QUOTE)
          .withConformance(SqlConformanceEnum.BABEL);

  /**
   * Parses one statement.
   *
   * @throws UniserveException naming the place of the syntax error
   */
  public static SqlStatement parse(String sql) {
    return new SqlStatement(CommonColumns.named(written(sql), List.of()));
  }

  private static SqlNode written(String sql) {
    try {
      // The text before the statement stays, so that places are those of the original text.
      Signs signs = Signs.of(Described.query(sql.stripTrailing()).replaceAll(";$", ""));
      String text = Spelling.calcite(signs.text());
      SqlNode read = Chains.balanced(SqlParser.create(text, PARSER).parseStmt());
      SqlNode tree = Spelling.restored(signs.casts().restored(read, SqlStatement::type));
      return GroupingSets.expanded(Synonyms.replaced(tree, signs));
    } catch (SqlParseException e) {
      if (e.getCause() instanceof StackOverflowError deep) {
        throw deep;
      }
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT, "SQL: " + Spelling.restored(CalciteErrors.firstLine(e)), e);
    }
  }

  private static SqlDataTypeSpec type(String text) throws SqlParseException {
    SqlNode cast = SqlParser.create("cast(null as " + text + ")", PARSER).parseExpression();
    return ((SqlCall) cast).operand(1);
  }

  /**
   * Parses a statement whose table names may be qualified, and removes the qualifier.
   *
   * @param qualifier the qualifier, as in {@code QUALIFIER.orders}
   * @param tables the tables that have it
   * @throws UniserveException naming the place of the syntax error
   */
  public static SqlStatement parse(String sql, String qualifier, List<SqlTable> tables) {
    SqlNode plain = Names.unqualified(written(sql), qualifier, tables);
    return new SqlStatement(CommonColumns.named(UnclearNames.requireNone(plain, tables), tables));
  }

  /**
   * Returns the qualifiers of the table names in a statement of any kind: for instance {@code a}
   * and {@code b} of {@code select * from a.t join b.u using (id)}, in lower case.
   *
   * @throws UniserveException if the text is no SQL
   */
  public static Set<String> qualifiers(String sql) {
    if (!TableStatement.isOne(sql)) {
      return Names.qualifiers(parse(sql).tree);
    }
    TableStatement statement = TableStatement.of(sql);
    Set<String> qualifiers = new TreeSet<>();
    statement.qualifier().ifPresent(qualifiers::add);
    if (statement instanceof TableStatement.CreateAs create) {
      qualifiers.addAll(Names.qualifiers(parse(create.query()).tree));
    }
    return qualifiers;
  }

  /** Returns the words that cannot be names without quotes, except those of SQL-92. */
  public static List<String> keywords() {
    SqlAbstractParserImpl.Metadata words = SqlParser.create("", PARSER).getMetadata();
    return words.getTokens().stream()
        .filter(word -> words.isReservedWord(word) && !words.isSql92ReservedWord(word))
        .sorted()
        .toList();
  }

  /**
   * Returns whether a statement reads, changes, creates or drops a table.
   *
   * @throws UniserveException if the text is no SQL
   */
  public static boolean namesTables(String sql) {
    return TableStatement.isOne(sql) || Names.namesTables(parse(sql).tree);
  }

  /** Returns the number of parameters. */
  public int parameters() {
    return Parameters.count(tree);
  }

  /** Returns whether the statement accepts several rows of parameters. */
  public boolean takesRows() {
    return Parameters.takesRows(tree);
  }

  /**
   * Replaces the parameters by values.
   *
   * @param values null, Boolean, Long, Double, BigDecimal, String, LocalDate or LocalDateTime; a
   *     {@link SqlType} for an unknown value of this type
   * @throws UniserveException if there are too many or too few values, or one cannot be written
   */
  public SqlStatement with(List<?> values) {
    return new SqlStatement(Parameters.replaced(tree, values));
  }

  /**
   * Replaces the parameters by one row of values. Several rows give one statement that inserts the
   * rows of one statement for each.
   *
   * @throws UniserveException as {@link #with} does, or if the statement does not accept several
   *     rows
   */
  public SqlStatement withRows(List<? extends List<?>> rows) {
    return new SqlStatement(Parameters.replacedByRows(tree, rows));
  }
}
