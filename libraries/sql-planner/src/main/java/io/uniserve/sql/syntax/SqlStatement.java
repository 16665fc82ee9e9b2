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
 * @param tree what it says, word by word; nothing is known of tables and types
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
   * @throws UniserveException naming the place of what is no SQL
   */
  public static SqlStatement parse(String sql) {
    return new SqlStatement(CommonColumns.named(written(sql), List.of()));
  }

  private static SqlNode written(String sql) {
    try {
      // What stands before the statement stays, so that places are those of the text as given.
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
   * Parses one whose names of tables may be qualified, and leaves the qualifier out.
   *
   * @param qualifier of the names, as in {@code QUALIFIER.orders}
   * @param tables that have it
   * @throws UniserveException naming the place of what is no SQL
   */
  public static SqlStatement parse(String sql, String qualifier, List<SqlTable> tables) {
    SqlNode plain = Names.unqualified(written(sql), qualifier, tables);
    return new SqlStatement(CommonColumns.named(UnclearNames.requireNone(plain, tables), tables));
  }

  /**
   * What the names of the tables of a statement, of whatever kind, are qualified with: for instance
   * {@code a} and {@code b} of {@code select * from a.t join b.u using (id)}, in lower case.
   *
   * @throws UniserveException if it is no SQL
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

  /** The words that no name may be without quotes, but those that SQL has had since 1992. */
  public static List<String> keywords() {
    SqlAbstractParserImpl.Metadata words = SqlParser.create("", PARSER).getMetadata();
    return words.getTokens().stream()
        .filter(word -> words.isReservedWord(word) && !words.isSql92ReservedWord(word))
        .sorted()
        .toList();
  }

  /**
   * Whether a statement reads or changes any table, or makes or drops one.
   *
   * @throws UniserveException if it is no SQL
   */
  public static boolean namesTables(String sql) {
    return TableStatement.isOne(sql) || Names.namesTables(parse(sql).tree);
  }

  /** How many parameters it has. */
  public int parameters() {
    return Parameters.count(tree);
  }

  /** Whether several rows of values of its parameters make one statement. */
  public boolean takesRows() {
    return Parameters.takesRows(tree);
  }

  /**
   * The statement with values in the place of its parameters.
   *
   * @param values null, Boolean, Long, Double, BigDecimal, String, LocalDate or LocalDateTime; a
   *     {@link SqlType} for a value of this type that is not known yet
   * @throws UniserveException if there are too many or too few, or one cannot be written
   */
  public SqlStatement with(List<?> values) {
    return new SqlStatement(Parameters.replaced(tree, values));
  }

  /**
   * The same for one row of values; or for several, one statement that inserts what one statement
   * for each of them would.
   *
   * @throws UniserveException as {@link #with} does, or if it takes no several rows
   */
  public SqlStatement withRows(List<? extends List<?>> rows) {
    return new SqlStatement(Parameters.replacedByRows(tree, rows));
  }
}
